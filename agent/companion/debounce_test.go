package companion_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/companion"
	"evalctl/agent/session"
	"evalctl/agent/trace"
)

// timedSend is a message that a user sends at a given time.
type timedSend struct {
	at     time.Duration
	turn   agent.Turn
	giveUp time.Duration // when its caller is canceled; 0: never
}

func in(session, text string) agent.Turn { return agent.Turn{Session: session, Text: text} }

// sendAll sends messages through a debouncer and returns for each the time and the kind of its
// reply.
func sendAll(next agent.Agent, list ...timedSend) []string {
	GinkgoHelper()
	lines := make([]string, len(list))
	Expect(clock.RunSimulated(context.Background(), noon, func(ctx context.Context) error {
		g := companion.NewDebouncer(next)
		group, _ := clock.NewGroup(ctx, 0)
		for i, m := range list {
			group.Go("user", func(ctx context.Context) error {
				if m.giveUp > 0 {
					var cancel context.CancelFunc
					ctx, cancel = clock.WithTimeout(ctx, m.giveUp)
					defer cancel()
				}
				_ = clock.Sleep(ctx, m.at)
				var dones int
				reply, err := g.Respond(ctx, m.turn, func(e trace.Event) {
					if e.Kind == trace.KindDone {
						dones++
					}
				})
				lines[i] = fmt.Sprintf("%v %s", clock.Since(ctx, noon), outcome(reply, err))
				Expect(dones).To(Equal(1), lines[i])
				return nil
			})
		}
		return group.Wait()
	})).To(Succeed())
	return lines
}

func outcome(r agent.Reply, err error) string {
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return "given up"
	case err != nil:
		return err.Error()
	case r.IsDeferred:
		return "gathered"
	}
	return r.Content
}

// echo is an agent that replies with the messages of the turn after one second.
var echo = agent.Func(func(ctx context.Context, t agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
	ctx = trace.WithRecorder(ctx, emit)
	err := clock.Sleep(ctx, time.Second)
	trace.Emit(ctx, trace.Event{Kind: trace.KindDone})
	if len(t.Batch) > 0 {
		Expect(t.Text).To(Equal(strings.Join(t.Batch, " ")))
		return agent.Reply{Content: strings.Join(t.Batch, "+")}, err
	}
	return agent.Reply{Content: t.Text}, err
})

// unanswered is what the session stores in place of an answer.
const unanswered = "（这条消息还没有得到回答。）"

var _ = Describe("The debouncer", func() {
	const s = time.Second

	It("C10: answers a batch of messages 5 s after the last one", func() {
		Expect(sendAll(echo, timedSend{0, in("a", "在吗"), 0}, timedSend{2 * s, in("a", "问你个事"), 0},
			timedSend{6 * s, in("a", "昨天聊了啥"), 0})).To(
			Equal([]string{"12s gathered", "12s gathered", "12s 在吗+问你个事+昨天聊了啥"}))
	})

	It("C10: answers a batch at most 15 s after its first message; later messages start another batch", func() {
		var list []timedSend
		for i := range 5 {
			list = append(list, timedSend{time.Duration(i) * 4 * s, in("a", fmt.Sprint(i)), 0})
		}
		Expect(sendAll(echo, list...)).
			To(Equal([]string{"16s gathered", "16s gathered", "16s gathered", "16s 0+1+2+3", "22s 4"}))
	})

	It("C10: separates sessions, and does not delay turns that have no session or already contain a batch", func() {
		Expect(sendAll(echo,
			timedSend{0, in("a", "甲"), 0}, timedSend{s, in("b", "乙"), 0}, timedSend{0, agent.Turn{Text: "丙"}, 0},
			timedSend{0, agent.Turn{Text: "丁 戊", Batch: []string{"丁", "戊"}, Session: "a"}, 0},
		)).To(Equal([]string{"6s 甲", "7s 乙", "1s 丙", "1s 丁+戊"}))
	})

	DescribeTable("C10: answers the other messages of a batch after a cancellation",
		func(giveUp [3]time.Duration, want ...string) {
			Expect(sendAll(echo, timedSend{0, in("a", "甲"), giveUp[0]}, timedSend{s, in("a", "乙"), giveUp[1]},
				timedSend{2 * s, in("a", "丙"), giveUp[2]})).To(Equal(want))
		},
		Entry("of the first caller", [3]time.Duration{3 * s, 0, 0}, "3s given up", "8s gathered", "8s 甲+乙+丙"),
		Entry("of the last caller during the wait for messages", [3]time.Duration{0, 0, 3 * s}, "8s gathered",
			"8s 甲+乙+丙", "3s given up"),
		Entry("of the last caller during the answer", [3]time.Duration{0, 0, 7*s + s/2}, "8.5s gathered",
			"8.5s 甲+乙+丙", "7.5s given up"),
		Entry("but not after the cancellation of all callers", [3]time.Duration{3 * s, 4 * s, 3 * s}, "3s given up",
			"4s given up", "3s given up"),
	)

	DescribeTable("31.1, 31.5, C8: the session stores each message once and in order, also after a cancellation",
		func(giveUp [3]time.Duration, want ...string) {
			memory, err := session.New(session.Config{})
			Expect(err).NotTo(HaveOccurred())
			sendAll(&session.Agent{Next: echo, Store: memory}, timedSend{0, in("a", "甲"), giveUp[0]},
				timedSend{s, in("a", "乙"), giveUp[1]}, timedSend{2 * s, in("a", "丙"), giveUp[2]})
			var stored []string
			Expect(clock.RunSimulated(context.Background(), noon, func(ctx context.Context) error {
				return memory.WithSession(ctx, "a", func(_ context.Context, s *session.Session) error {
					for _, m := range s.History {
						stored = append(stored, m.Content)
					}
					return nil
				})
			})).To(Succeed())
			Expect(stored).To(Equal(want))
		},
		Entry("of the first caller during the wait for messages", [3]time.Duration{3 * s, 0, 0}, "甲 乙 丙", "甲+乙+丙"),
		Entry("of the last caller during the wait for messages", [3]time.Duration{0, 0, 3 * s}, "甲 乙 丙", "甲+乙+丙"),
		Entry("of all callers during the wait for messages", [3]time.Duration{4 * s, 3 * s, 5 * s},
			"甲 乙 丙", unanswered),
		Entry("of the caller that receives the answer", [3]time.Duration{0, 0, 7*s + s/2}, "甲 乙 丙", "甲+乙+丙"),
		Entry("of another caller during the answer", [3]time.Duration{7*s + s/2, 0, 0}, "甲 乙 丙", "甲+乙+丙"),
		Entry("of two callers, one after the other", [3]time.Duration{0, 8*s + s/4, 7*s + s/2}, "甲 乙 丙", "甲+乙+丙"),
		Entry("of another caller and then the one that receives the answer",
			[3]time.Duration{7*s + s/4, 0, 7*s + s/2}, "甲 乙 丙", "甲+乙+丙"),
		Entry("of all callers at the same time during the answer", [3]time.Duration{7*s + s/2, 7*s + s/2, 7*s + s/2},
			"甲 乙 丙", unanswered),
		Entry("of all callers, one after the other", [3]time.Duration{8*s + s/2, 8 * s, 7*s + s/2}, "甲 乙 丙",
			unanswered),
	)

	It("C10: starts a new batch after all callers of the previous one were canceled", func() {
		Expect(sendAll(echo, timedSend{0, in("a", "甲"), s}, timedSend{4 * s, in("a", "乙"), 0})).
			To(Equal([]string{"1s given up", "10s 乙"}))
	})

	It("C10: limits the number of messages and bytes in a batch", func() {
		var list []timedSend
		for i := range 21 {
			list = append(list, timedSend{0, in("a", fmt.Sprint(i)), 0})
		}
		lines := sendAll(echo, list...)
		Expect(lines[18]).To(Equal("1s gathered"))
		Expect(lines[19]).To(HavePrefix("1s 0+1+2+"))
		Expect(lines[20]).To(Equal("6s 20"))
		long := strings.Repeat("长", 3000)
		lines = sendAll(echo, timedSend{0, in("a", long), 0}, timedSend{s, in("a", long), 0})
		Expect(lines[0]).To(HavePrefix("2s 长"))
		Expect(lines[1]).To(HavePrefix("7s 长"))
	})

	It("C10: records the wait as an event, and counts later offsets from the arrival of the message", func() {
		var events []trace.Event
		Expect(clock.RunSimulated(context.Background(), noon, func(ctx context.Context) error {
			_, err := companion.NewDebouncer(echo).Respond(ctx, in("a", "甲"),
				func(e trace.Event) { events = append(events, e) })
			return err
		})).To(Succeed())
		Expect(events).To(HaveLen(2))
		Expect(events[0]).To(Equal(trace.Event{Offset: 5 * s, Kind: trace.KindQueue, Node: "debounce",
			Reason: "debouncing", Text: "5s"}))
		Expect(events[1]).To(Equal(trace.Event{Offset: 6 * s, Kind: trace.KindDone}))
	})

	It("X6: returns an error to each waiting caller if the agent panics", func() {
		bug := agent.Func(func(context.Context, agent.Turn, func(trace.Event)) (agent.Reply, error) { panic("bug") })
		g := companion.NewDebouncer(bug)
		Expect(clock.RunSimulated(context.Background(), noon, func(ctx context.Context) error {
			group, _ := clock.NewGroup(ctx, 0)
			for range 3 {
				group.Go("user", func(ctx context.Context) error {
					return clock.CatchPanic("gatherer",
						func() error { _, err := g.Respond(ctx, in("a", "甲"), nil); return err })
				})
			}
			return group.Wait()
		})).To(MatchError(ContainSubstring("bug")))
	})
})

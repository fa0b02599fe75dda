package session_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/session"
	"evalctl/agent/trace"
)

// echo is an agent that answers with the user's text. It records the history that it receives.
type echo struct {
	given    [][]string
	err      error
	duration time.Duration
}

func (e *echo) Respond(ctx context.Context, t agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
	e.given = append(e.given, contents(t.History))
	err := errors.Join(e.err, clock.Sleep(ctx, e.duration))
	trace.Emit(trace.WithRecorder(ctx, emit), trace.Event{Kind: trace.KindDone, Text: t.Text + "!"})
	return agent.Reply{Content: t.Text + "!", GeneratedImageURL: "https://example.com/" + t.Text}, err
}

var _ = Describe("An agent with a session memory", func() {
	ctx := context.Background()
	var inner *echo
	var a *session.Agent
	BeforeEach(func() {
		inner = &echo{}
		a = &session.Agent{Next: inner, Store: made(session.Config{})}
	})

	tell := func(text string, history ...agent.Message) error {
		_, err := a.Respond(ctx, agent.Turn{Session: "a", Text: text, History: history}, nil)
		return err
	}

	It("S8: passes the history of the session to the wrapped agent", func() {
		for _, text := range []string{"one", "two", "three"} {
			Expect(tell(text)).To(Succeed())
		}
		Expect(inner.given).To(Equal([][]string{nil, {"one", "one!"}, {"one", "one!", "two", "two!"}}))
	})

	It("stores the user's message and the answer, with their images", func() {
		t := agent.Turn{Session: "a", Text: "cat", Images: []string{"https://example.com/photo"}}
		reply, err := a.Respond(ctx, t, nil)
		Expect(err).NotTo(HaveOccurred())
		Expect(reply.Content).To(Equal("cat!"))
		Expect(a.Store.WithSession(ctx, "a", func(_ context.Context, s *session.Session) error {
			Expect(s.History).To(Equal([]agent.Message{
				{Role: "user", Content: "cat", Images: []string{"https://example.com/photo"}},
				{Role: "assistant", Content: "cat!", GeneratedImageURL: "https://example.com/cat"},
			}))
			return nil
		})).To(Succeed())
	})

	It("starts a new session with the history of its first turn, and ignores the histories of later turns", func() {
		Expect(tell("one", numbered(0, 2)...)).To(Succeed())
		Expect(tell("two", numbered(7, 9)...)).To(Succeed())
		Expect(inner.given).To(Equal([][]string{{"0", "1"}, {"0", "1", "one", "one!"}}))
	})

	It("S8: already limits the number of messages in the first turn of a session", func() {
		Expect(tell("one", numbered(0, 60)...)).To(Succeed())
		Expect(tell("two")).To(Succeed())
		Expect(inner.given[0]).To(And(HaveLen(50), ContainElements("10", "59")))
		Expect(inner.given[1]).To(And(HaveLen(50), ContainElements("12", "one!")))
	})

	It("S10: starts a new session after half an hour without turns", func() {
		play(func(ctx context.Context) {
			for _, text := range []string{"one", "two"} {
				_, err := a.Respond(ctx, agent.Turn{Session: "a", Text: text}, nil)
				Expect(err).NotTo(HaveOccurred())
				Expect(clock.Sleep(ctx, 31*time.Minute)).To(Succeed())
			}
		})
		Expect(inner.given).To(Equal([][]string{nil, nil}))
	})

	It("31.1: stores a failed turn as not answered, with the history that the turn contained", func() {
		inner.err = errors.New("broken")
		Expect(tell("one", numbered(0, 1)...)).To(MatchError("broken"))
		inner.err = nil
		Expect(tell("two")).To(Succeed())
		Expect(inner.given).To(Equal([][]string{{"0"}, {"0", "one", "[This message has not been answered yet.]"}}))
	})

	DescribeTable("31.1: stores an error reply and the message before it",
		func(reply agent.Reply, more ...string) {
			a.Next = cutOff(nil, reply, nil)
			Expect(tell("画猫")).To(Succeed())
			a.Next = inner
			Expect(tell("再试一次")).To(Succeed())
			Expect(inner.given).To(HaveExactElements(HaveExactElements(more)))
		},
		Entry("with a note after a failed call",
			agent.Reply{Content: "抱歉", ErrorReply: &agent.ErrorReply{Code: "CHAT_FAILED", Cause: "auth"}},
			"画猫", "抱歉\n\n（这条消息还没有得到回答，用户只看到了以上的出错提示。）"),
		Entry("unless the agent rejected the message",
			agent.Reply{Content: "太长", ErrorReply: &agent.ErrorReply{Code: "TEXT_TOO_LONG"}}),
		Entry("without a note if it requests what is missing",
			agent.Reply{Content: "请涂抹蒙版", ModelDecision: &agent.ModelDecision{Label: "inpainting"},
				ErrorReply: &agent.ErrorReply{Code: "MASK_REQUIRED"}},
			"画猫", "请涂抹蒙版"),
	)

	It("S8: does not store messages without text and images", func() {
		a.Next = agent.Func(func(_ context.Context, t agent.Turn, _ func(trace.Event)) (agent.Reply, error) {
			return agent.Reply{Content: " ", GeneratedImageURL: t.Mask}, nil
		})
		for _, t := range []agent.Turn{
			{Text: "one"}, {Text: " \n\u3000"}, {Mask: "https://example.com/a"},
			{Text: "two", History: []agent.Message{{Role: "user"}}},
		} {
			t.Session = "a"
			_, err := a.Respond(ctx, t, nil)
			Expect(err).NotTo(HaveOccurred())
		}
		Expect(sizedSession(ctx, a.Store, "a")).To(Equal([]agent.Message{{Role: "user", Content: "one"},
			{Role: "assistant", Content: " ", GeneratedImageURL: "https://example.com/a"},
			{Role: "user", Content: "two"}}))
	})

	It("S8: removes empty messages from the history of the first turn", func() {
		Expect(tell("one", agent.Message{Role: "user", Content: "0"}, agent.Message{Role: "assistant"})).To(Succeed())
		Expect(inner.given).To(Equal([][]string{{"0"}}))
	})

	It("31.1: separates users that use the same session id, also if a waiting turn is canceled", func() {
		inner.duration = 10 * time.Second
		play(func(ctx context.Context) {
			g, _ := clock.NewGroup(ctx, 0)
			turn := func(user, text string, within time.Duration) {
				g.Go(text, func(ctx context.Context) error {
					ctx, cancel := clock.WithTimeout(ctx, within)
					defer cancel()
					_, err := a.Respond(ctx, agent.Turn{User: user, Session: "a", Text: text}, nil)
					Expect(err != nil).To(Equal(within < time.Minute), text)
					return nil
				})
			}
			turn("anna", "one", time.Minute)
			turn("ben", "two", time.Minute)
			turn("", "three", time.Minute)
			_ = clock.Sleep(ctx, time.Second)
			turn("anna", "secret", 2*time.Second)
			Expect(g.Wait()).To(Succeed())
			Expect(clock.Since(ctx, midnight)).To(Equal(10 * time.Second))
		})
		inner.duration, inner.given = 0, nil
		play(func(ctx context.Context) {
			for _, user := range []string{"", "anna", "ben"} {
				_, err := a.Respond(ctx, agent.Turn{User: user, Session: "a", Text: "next"}, nil)
				Expect(err).NotTo(HaveOccurred())
			}
		})
		Expect(inner.given).To(HaveExactElements(HaveExactElements("three", "three!"),
			HaveExactElements("one", "one!", "secret", HavePrefix("[This message has not")),
			HaveExactElements("two", "two!")))
	})

	It("copies the history, so changes by the agent or the caller do not affect the session", func() {
		a.Next = agent.Func(func(_ context.Context, t agent.Turn, _ func(trace.Event)) (agent.Reply, error) {
			for i := range t.History {
				t.History[i].Content = "scribble"
			}
			_ = append(t.History, agent.Message{Content: "scribble"})
			return agent.Reply{Content: "ok"}, nil
		})
		own := append(make([]agent.Message, 0, 10), numbered(0, 1)...)
		Expect(tell("one", own...)).To(Succeed())
		Expect(tell("two")).To(Succeed())
		Expect(remembered(ctx, a.Store, "a")).To(Equal([]string{"0", "one", "ok", "two", "ok"}))
		Expect(contents(own[:2])).To(Equal([]string{"0", ""}))
	})
})

var _ = Describe("Concurrent turns of a session", func() {
	// burst sends turns one second apart to an agent that takes ten seconds for each. It returns
	// when each turn was answered and by which agent.
	burst := func(a *session.Agent, id string) (answers []string) {
		GinkgoHelper()
		play(func(ctx context.Context) {
			g, _ := clock.NewGroup(ctx, 0)
			for i := range 3 {
				g.Go("turn", func(ctx context.Context) error {
					_ = clock.Sleep(ctx, time.Duration(i)*time.Second)
					var events []trace.Kind
					reply, err := a.Respond(ctx, agent.Turn{Session: id, Text: fmt.Sprint(i)},
						func(e trace.Event) { events = append(events, e.Kind) })
					answers = append(answers,
						fmt.Sprintf("%v %s%v %v", clock.Since(ctx, midnight), reply.Content, err, events))
					return nil
				})
			}
			Expect(g.Wait()).To(Succeed())
		})
		return answers
	}
	slow := func() *echo { return &echo{duration: 10 * time.Second} }

	It("S8: are answered in order, each with the answer to the previous one in its history", func() {
		inner := slow()
		Expect(burst(&session.Agent{Next: inner, Store: made(session.Config{})}, "a")).To(Equal([]string{
			"10s 0!<nil> [done]", "20s 1!<nil> [queue done]", "30s 2!<nil> [queue done]"}))
		Expect(inner.given).To(Equal([][]string{nil, {"0", "0!"}, {"0", "0!", "1", "1!"}}))
	})

	It("X4: record how long they waited, and their offsets count from their arrival", func() {
		working := agent.Func(func(ctx context.Context, t agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
			ctx = trace.WithRecorder(ctx, emit)
			err := clock.Sleep(ctx, 10*time.Second)
			trace.Emit(ctx, trace.Event{Kind: trace.KindSpan,
				Span: &trace.Span{Start: time.Second, Duration: 9 * time.Second}})
			return agent.Reply{}, err
		})
		a := &session.Agent{Next: working, Store: made(session.Config{})}
		var second []trace.Event
		play(func(ctx context.Context) {
			g, _ := clock.NewGroup(ctx, 0)
			g.Go("first", func(ctx context.Context) error {
				_, err := a.Respond(ctx, agent.Turn{Session: "a"},
					func(e trace.Event) { Expect(e.Kind).NotTo(Equal(trace.KindQueue)) })
				return err
			})
			g.Go("second", func(ctx context.Context) error {
				_ = clock.Sleep(ctx, 4*time.Second)
				_, err := a.Respond(ctx, agent.Turn{Session: "a"}, func(e trace.Event) { second = append(second, e) })
				return err
			})
			Expect(g.Wait()).To(Succeed())
		})
		Expect(second).To(Equal([]trace.Event{
			{Offset: 6 * time.Second, Kind: trace.KindQueue, Node: "session", Reason: "busy", Text: "6s"},
			{Offset: 16 * time.Second, Kind: trace.KindSpan,
				Span: &trace.Span{Start: 7 * time.Second, Duration: 9 * time.Second}},
		}))
	})

	It("are answered in parallel if they have no session id", func() {
		inner := slow()
		a := &session.Agent{Next: inner, Store: made(session.Config{})}
		Expect(burst(a, "")).To(Equal([]string{"10s 0!<nil> [done]", "11s 1!<nil> [done]", "12s 2!<nil> [done]"}))
		Expect(inner.given).To(Equal([][]string{nil, nil, nil}))
		Expect(a.Store.Len(context.Background())).To(BeZero())
	})

	It("S8: return an error and an empty done event if the store rejects them", func() {
		a := &session.Agent{Next: slow(), Store: made(session.Config{RejectWhenBusy: true})}
		Expect(burst(a, "a")).To(Equal([]string{
			"1s session is busy with another turn [done]", "2s session is busy with another turn [done]",
			"10s 0!<nil> [done]"}))
	})

	It("S8: are answered by BusyAgent if the store rejects them, and are not stored", func() {
		busy := agent.Func(func(_ context.Context, t agent.Turn, _ func(trace.Event)) (agent.Reply, error) {
			return agent.Reply{Content: "processing"}, nil
		})
		inner := slow()
		a := &session.Agent{Next: inner, Store: made(session.Config{RejectWhenBusy: true}), BusyAgent: busy}
		Expect(burst(a, "a")).To(
			Equal([]string{"1s processing<nil> []", "2s processing<nil> []", "10s 0!<nil> [done]"}))
		play(func(ctx context.Context) { Expect(remembered(ctx, a.Store, "a")).To(Equal([]string{"0", "0!"})) })
	})

	It("stop waiting when their context ends", func() {
		a := &session.Agent{Next: slow(), Store: made(session.Config{})}
		play(func(ctx context.Context) {
			g, _ := clock.NewGroup(ctx, 0)
			g.Go("first", func(ctx context.Context) error {
				_, err := a.Respond(ctx, agent.Turn{Session: "a"}, nil)
				return err
			})
			g.Go("impatient", func(ctx context.Context) error {
				ctx, cancel := clock.WithTimeout(ctx, time.Second)
				defer cancel()
				_, err := a.Respond(ctx, agent.Turn{Session: "a"}, nil)
				Expect(err).To(MatchError(context.DeadlineExceeded))
				return nil
			})
			Expect(g.Wait()).To(Succeed())
		})
	})
})

package target_test

import (
	"context"
	"errors"
	"slices"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/session"
	"evalctl/agent/trace"
	"evalctl/eval"
	"evalctl/eval/target"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// conversation runs turns on the agent f in simulated time.
func conversation(f agent.Func, turns ...agent.Turn) (o eval.Outcome, err error) {
	GinkgoHelper()
	Expect(clock.RunSimulated(context.Background(), noon, func(ctx context.Context) error {
		o, err = target.ConversationTarget{Agent: f}.Run(ctx, turns)
		return nil
	})).To(Succeed())
	return o, err
}

// echo is an agent that takes a second per turn and generates an image on request.
func echo(ctx context.Context, t agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
	if err := clock.Sleep(ctx, time.Second); err != nil {
		return agent.Reply{}, err
	}
	emit(trace.Event{Kind: trace.KindChunk, Text: t.Text})
	emit(trace.Event{Kind: trace.KindDone, Text: t.Text})
	reply := agent.Reply{Content: "re: " + t.Text}
	if t.Text == "画" {
		reply.GeneratedImageURL = "https://example.com/a.png"
	}
	return reply, nil
}

// closing is an agent that counts the calls of Close.
type closing struct {
	agent.Func
	closed int
}

func (c *closing) Close() error { c.closed++; return errors.New("cannot be closed") }

var _ = Describe("An agent in a conversation", func() {
	It("gets the earlier turns and its own replies as the history of each turn", func() {
		var heard [][]agent.Message
		o, err := conversation(func(ctx context.Context, t agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
			heard = append(heard, t.History)
			return echo(ctx, t, emit)
		}, agent.Turn{Text: "一"}, agent.Turn{Text: "二", Images: []string{"u"}}, agent.Turn{Text: "三"})
		Expect(err).NotTo(HaveOccurred())
		all := []agent.Message{
			{Role: "user", Content: "一"}, {Role: "assistant", Content: "re: 一"},
			{Role: "user", Content: "二", Images: []string{"u"}}, {Role: "assistant", Content: "re: 二"},
		}
		Expect(heard).To(HaveExactElements(BeEmpty(), Equal(all[:2]), Equal(all)))
		Expect(o.Turns).To(HaveLen(3))
		Expect(o.Turns[2].Input.History).To(Equal(all))
	})

	It("T10: gets an image that it generated in an earlier turn", func() {
		o, err := conversation(echo, agent.Turn{Text: "画"}, agent.Turn{Text: "描述一下"})
		Expect(err).NotTo(HaveOccurred())
		Expect(o.Turns[1].Input.History[1].GeneratedImageURL).To(Equal("https://example.com/a.png"))
	})

	It("gets a turn's own history after the earlier turns", func() {
		earlier := []agent.Message{{Role: "system", Content: "你是鹦鹉"}, {Role: "user", Content: "在吗"}}
		o, err := conversation(echo, agent.Turn{Text: "一", History: earlier},
			agent.Turn{Text: "二", History: []agent.Message{{Role: "user", Content: "补一句"}}})
		Expect(err).NotTo(HaveOccurred())
		var contents []string
		for _, m := range o.Turns[1].Input.History {
			contents = append(contents, m.Content)
		}
		Expect(contents).To(Equal([]string{"你是鹦鹉", "在吗", "一", "re: 一", "补一句"}))
		Expect(earlier).To(HaveLen(2))
	})

	It("can modify the history that it gets; later turns and the recorded inputs do not change", func() {
		var kept [][]agent.Message
		o, err := conversation(func(ctx context.Context, t agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
			kept = append(kept, append(t.History, agent.Message{Content: "mine"}))
			if len(t.History) > 0 {
				t.History[0].Content = "graffiti"
			}
			return echo(ctx, t, emit)
		}, slices.Repeat([]agent.Turn{{Text: "一"}}, 6)...)
		Expect(err).NotTo(HaveOccurred())
		for i, k := range kept {
			Expect(k[len(k)-1].Content).To(Equal("mine"), "turn %d", i)
		}
		Expect(o.Turns[5].Input.History).To(HaveLen(10))
		Expect(o.Turns[5].Input.History[0].Content).To(Equal("一"))
	})

	It("S8: gets no turns that ended in an error reply, and no empty messages", func() {
		o, err := conversation(func(ctx context.Context, t agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
			switch t.Text {
			case "😂":
				return agent.Reply{Content: "没太明白", ErrorReply: &agent.ErrorReply{Code: "NOT_UNDERSTOOD"}}, nil
			case "":
				return agent.Reply{GeneratedImageURL: "https://example.com/a.png"}, nil
			}
			return echo(ctx, t, emit)
		}, agent.Turn{Text: "一"}, agent.Turn{Text: "😂"}, agent.Turn{Mask: "data:"}, agent.Turn{Text: "二"})
		Expect(err).NotTo(HaveOccurred())
		Expect(o.Turns[3].Input.History).
			To(Equal([]agent.Message{{Role: "user", Content: "一"}, {Role: "assistant", Content: "re: 一"},
				{Role: "assistant", GeneratedImageURL: "https://example.com/a.png"}}))
	})

	It("has the events and the duration of each turn recorded", func() {
		o, err := conversation(echo, agent.Turn{Text: "一"}, agent.Turn{Text: "二"})
		Expect(err).NotTo(HaveOccurred())
		Expect(o.Duration).To(Equal(2 * time.Second))
		for i, text := range []string{"一", "二"} {
			Expect(o.Turns[i].Duration).To(Equal(time.Second))
			Expect(o.Turns[i].Events).
				To(Equal([]trace.Event{{Kind: trace.KindChunk, Text: text}, {Kind: trace.KindDone, Text: text}}))
		}
	})

	It("is not called again after a turn fails; the partial result of this turn is recorded", func() {
		broken := errors.New("broken")
		o, err := conversation(func(ctx context.Context, t agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
			reply, _ := echo(ctx, t, emit)
			if t.Text == "二" {
				return reply, broken
			}
			return reply, nil
		}, agent.Turn{Text: "一"}, agent.Turn{Text: "二"}, agent.Turn{Text: "三"})
		Expect(err).To(MatchError(broken))
		Expect(o.Turns).To(HaveLen(2))
		Expect(o.Turns[1].Reply.Content).To(Equal("re: 二"))
		Expect(o.Turns[1].Events).To(HaveLen(2))
		Expect(o.Duration).To(Equal(2 * time.Second))
		Expect(o.Turns[len(o.Turns)-1].HasError).To(BeTrue())
		Expect(o.Turns[0].HasError).To(BeFalse())
	})

	It("X6: causes an agent error if it panics, and the results before the panic are recorded", func() {
		o, err := conversation(func(ctx context.Context, t agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
			emit(trace.Event{Kind: trace.KindChunk, Text: "半"})
			panic("bug")
		}, agent.Turn{Text: "一"}, agent.Turn{Text: "二"})
		Expect(err).To(MatchError("panic in agent: bug"))
		Expect(eval.ClassifyError(err).Kind).To(Equal(eval.AgentError))
		Expect(o.Turns).To(HaveLen(1))
		Expect(o.Turns[0].Events).To(HaveLen(1))
	})

	It("X8: is closed after the conversation if it is an io.Closer, even after an error or inside a session.Agent",
		func() {
			for _, broken := range []error{nil, errors.New("broken")} {
				inner := &closing{Func: func(context.Context, agent.Turn, func(trace.Event)) (agent.Reply, error) {
					return agent.Reply{}, broken
				}}
				_, err := target.ConversationTarget{Agent: &session.Agent{Next: inner}}.Run(context.Background(),
					[]agent.Turn{{Text: "一"}, {Text: "二"}})
				Expect(inner.closed).To(Equal(1))
				if broken != nil {
					Expect(err).To(Equal(broken))
				} else {
					Expect(err).To(MatchError("cannot be closed"))
				}
			}
		})

	It("is not called if there are no turns", func() {
		o, err := conversation(echo)
		Expect(err).NotTo(HaveOccurred())
		Expect(o).To(Equal(eval.Outcome{}))
	})
})

package session_test

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/session"
	"evalctl/agent/trace"
)

// cutOff returns an agent that emits events and then returns a reply and an error.
func cutOff(events []trace.Event, reply agent.Reply, err error) agent.Agent {
	return agent.Func(func(ctx context.Context, _ agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
		for _, e := range events {
			emit(e)
		}
		return reply, err
	})
}

var _ = Describe("31.1: A turn whose answer is not complete", func() {
	const image = "https://example.com/cat?a=1&b=2"
	chunk := func(text string) trace.Event { return trace.Event{Kind: trace.KindChunk, Text: text} }
	canvas, _ := json.Marshal(map[string]string{"imageUrl": image})

	DescribeTable("is stored with what the user has seen",
		func(text string, events []trace.Event, reply agent.Reply, err error, want agent.Message) {
			a := &session.Agent{Next: cutOff(events, reply, err), Store: made(session.Config{})}
			turn := agent.Turn{Session: "a", Text: text, Images: []string{"https://example.com/dog"}}
			_, got := a.Respond(context.Background(), turn, func(trace.Event) {})
			if err == nil {
				Expect(got).NotTo(HaveOccurred())
			} else {
				Expect(got).To(MatchError(err))
			}
			want.Role = "assistant"
			Expect(sizedSession(context.Background(), a.Store, "a")).To(Equal([]agent.Message{
				{Role: "user", Content: text, Images: turn.Images}, want,
			}))
		},
		Entry("in Chinese", "讲讲量子纠缠", []trace.Event{chunk("两个粒子"), chunk("可以纠缠")}, agent.Reply{}, context.Canceled,
			agent.Message{Content: "两个粒子可以纠缠\n\n（这个回答没有完成，用户只看到了以上部分。）"}),
		Entry("in English", "How does TLS work?", []trace.Event{chunk("First, a handshake")}, agent.Reply{},
			context.DeadlineExceeded,
			agent.Message{Content: "First, a handshake\n\n[This answer is incomplete. The user has seen only the part above.]"}),
		Entry("without text of the answer", "讲讲量子纠缠", nil, agent.Reply{Content: "没有显示"}, context.Canceled,
			agent.Message{Content: "（这条消息还没有得到回答。）"}),
		Entry("with an error reply after a part of the answer", "讲讲", []trace.Event{chunk("两个")},
			agent.Reply{Content: "抱歉", ErrorReply: &agent.ErrorReply{Code: "ANSWER_FAILED"}}, nil,
			agent.Message{Content: "两个\n\n（这个回答没有完成，用户只看到了以上部分。）"}),
		Entry("with an image in a component", "画一只猫",
			[]trace.Event{{Kind: trace.KindGenUIComponent, Data: canvas}},
			agent.Reply{GeneratedImageURL: image}, context.Canceled,
			agent.Message{Content: "（这个回答没有完成，用户只看到了以上部分。）", GeneratedImageURL: image}),
		Entry("without an image that was not shown", "画一只猫", nil, agent.Reply{GeneratedImageURL: image},
			context.Canceled, agent.Message{Content: "（这条消息还没有得到回答。）"}),
	)

	It("is not stored if it has neither text nor images", func() {
		a := &session.Agent{Next: cutOff(nil, agent.Reply{}, context.Canceled), Store: made(session.Config{})}
		_, err := a.Respond(context.Background(), agent.Turn{Session: "a", Text: " "}, nil)
		Expect(err).To(MatchError(context.Canceled))
		Expect(sizedSession(context.Background(), a.Store, "a")).To(BeEmpty())
	})

	It("is stored between the earlier and the later turn if it was canceled while it waited, at once", func() {
		a := &session.Agent{Next: &echo{duration: 10 * time.Second}, Store: made(session.Config{})}
		play(func(ctx context.Context) {
			g, _ := clock.NewGroup(ctx, 0)
			for i, text := range []string{"one", "two", "three"} {
				g.Go(text, func(ctx context.Context) error {
					_ = clock.Sleep(ctx, time.Duration(i)*time.Second)
					if text != "two" {
						_, err := a.Respond(ctx, agent.Turn{Session: "a", Text: text}, nil)
						return err
					}
					limited, cancel := clock.WithTimeout(ctx, 5*time.Second)
					defer cancel()
					_, err := a.Respond(limited, agent.Turn{Session: "a", Text: text}, nil)
					Expect(err).To(MatchError(context.DeadlineExceeded))
					Expect(clock.Since(ctx, midnight)).To(Equal(6 * time.Second))
					return nil
				})
			}
			Expect(g.Wait()).To(Succeed())
			Expect(remembered(ctx, a.Store, "a")).To(Equal([]string{"one", "one!", "two",
				"[This message has not been answered yet.]", "three", "three!"}))
		})
	})

	It("is stored if it was canceled before it started, even in a session that rejects turns while it is busy", func() {
		a := &session.Agent{Next: &echo{}, Store: made(session.Config{RejectWhenBusy: true})}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_, err := a.Respond(ctx, agent.Turn{Session: "a", Text: "one"}, nil)
		Expect(err).To(MatchError(context.Canceled))
		Expect(remembered(context.Background(), a.Store, "a")).To(HaveExactElements("one", HavePrefix("[This")))
	})

	DescribeTable("is what a retry repeats, also after a turn that failed",
		func(second agent.Turn, next agent.Agent, isLate bool, want string) {
			play(func(ctx context.Context) {
				failing := cutOff(nil, agent.Reply{Content: "抱歉",
					ErrorReply: &agent.ErrorReply{Code: "CHAT_FAILED", Cause: "auth"}}, nil)
				a := &session.Agent{Next: failing, Store: made(session.Config{})}
				respond := func(ctx context.Context, t agent.Turn) error {
					t.Session = "a"
					_, err := a.Respond(ctx, t, nil)
					return err
				}
				if isLate { // the second turn waits for the first one and is canceled before it fails
					a.Next = agent.Func(func(ctx context.Context, t agent.Turn,
						emit func(trace.Event)) (agent.Reply, error) {
						_ = clock.Sleep(ctx, 10*time.Second)
						return failing.Respond(ctx, t, emit)
					})
				}
				g, _ := clock.NewGroup(ctx, 0)
				g.Go("first", func(ctx context.Context) error { return respond(ctx, agent.Turn{Text: "画一只猫"}) })
				if !isLate {
					Expect(g.Wait()).To(Succeed())
					a.Next = next
				}
				_ = clock.Sleep(ctx, time.Second)
				limited, cancel := clock.WithTimeout(ctx, time.Second)
				defer cancel()
				_ = respond(limited, second)
				Expect(g.Wait()).To(Succeed())
				var failed []*agent.Message
				a.Next = agent.Func(func(_ context.Context, t agent.Turn, _ func(trace.Event)) (agent.Reply, error) {
					failed = append(failed, t.FailedMessage)
					return agent.Reply{Content: "好的"}, nil
				})
				Expect(respond(ctx, agent.Turn{ButtonID: "retry"})).To(Succeed())
				Expect(respond(ctx, agent.Turn{Text: "谢谢"})).To(Succeed())
				Expect(failed).To(HaveExactElements(HaveField("Content", want), BeNil()))
			})
		},
		Entry("if it was canceled", agent.Turn{Text: "画一只狗"}, &echo{duration: time.Minute}, false, "画一只狗"),
		Entry("if it was canceled while it waited", agent.Turn{Text: "画一只狗"}, nil, true, "画一只狗"),
		Entry("if its answer was cut off by an error reply", agent.Turn{Text: "画一只狗"},
			cutOff([]trace.Event{chunk("两个")},
				agent.Reply{Content: "抱歉", ErrorReply: &agent.ErrorReply{Code: "ANSWER_FAILED"}}, nil), false, "画一只狗"),
		Entry("unless only a retry was canceled", agent.Turn{ButtonID: "retry"}, &echo{duration: time.Minute}, false,
			"画一只猫"),
	)

	It("is stored with the newest image of its components, whatever texts they contain and however it is escaped",
		func() {
			component := func(value string) trace.Event {
				return trace.Event{Kind: trace.KindGenUIComponent, Data: []byte(`{"props":{"items":[` + value + `]}}`)}
			}
			data := "data:image/png;base64," + strings.Repeat("A", 5<<20)
			stored := func(address string, events ...trace.Event) string {
				GinkgoHelper()
				a := &session.Agent{Next: cutOff(events, agent.Reply{GeneratedImageURL: address}, context.Canceled),
					Store: made(session.Config{})}
				_, err := a.Respond(context.Background(), agent.Turn{Session: "a", Text: "画猫"}, nil)
				Expect(err).To(MatchError(context.Canceled))
				return sizedSession(context.Background(), a.Store, "a")[1].GeneratedImageURL
			}
			Expect(stored(image, component(`"https:\/\/example.com/cat?a=1\u0026b=2"`))).To(Equal(image))
			Expect(stored(image, component(`"see `+image+`"`))).To(BeEmpty(), "an address in a text is not an image")
			first, second := component(`"`+data+`1"`), component(`"`+data+`2"`)
			Expect(stored(data+"2", first, second)).To(Equal(data + "2"))
			Expect(stored(data+"1", first, second)).To(BeEmpty(), "the oldest images are dropped")
			text := component(`"` + strings.Repeat("长", 3<<20) + `"`)
			Expect(stored(data+"1", first, text)).To(Equal(data+"1"), "texts do not count")
		})

	It("is also passed to an agent that stores conversations itself, with a context that has not ended", func() {
		own := &diarist{}
		a := &session.Agent{Next: own, Store: made(session.Config{})}
		ctx, cancel := context.WithCancel(context.Background())
		own.cancel = cancel
		_, err := a.Respond(ctx, agent.Turn{Session: "a", Text: "one"}, nil)
		Expect(err).To(MatchError(context.Canceled))
		Expect(own.stored).To(Equal([]string{"one", "[This message has not been answered yet.]"}))
		Expect(own.ctxErr).NotTo(HaveOccurred())
	})
})

// diarist is an agent that stores conversations itself. Its turns are canceled.
type diarist struct {
	cancel func()
	stored []string
	ctxErr error
}

func (d *diarist) Respond(ctx context.Context, _ agent.Turn, _ func(trace.Event)) (agent.Reply, error) {
	d.cancel()
	return agent.Reply{}, ctx.Err()
}

func (d *diarist) SaveIncompleteTurn(ctx context.Context, _ agent.Turn, messages []agent.Message, _ *agent.ErrorReply) {
	d.stored, d.ctxErr = contents(messages), ctx.Err()
}

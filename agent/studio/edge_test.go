package studio_test

import (
	"context"
	"fmt"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/session"
	"evalctl/agent/studio"
	"evalctl/agent/trace"
)

var _ = Describe("S8: The studio", func() {
	long := strings.Repeat("画一只猫。", 401)

	for profile, answer := range map[studio.Profile]string{studio.ProfileV2: planV2("generate_image", 0.9),
		studio.ProfileV1: planV1("generate_image")} {
		DescribeTable(string(profile)+": rejects an input without words or with too many, and calls no model",
			func(t agent.Turn, code, word string) {
				s := newStage(profile, answer)
				reply := s.runTurn(t)
				Expect(failure(reply)).To(Equal(code + " planner"))
				Expect(reply.Predicted).To(Equal("unknown"))
				Expect(reply.DecidedBy).To(Equal("guard"))
				Expect(reply.Confidence).To(BeZero())
				Expect(reply.Content).To(ContainSubstring(word))
				Expect(s.server.Log()).To(BeEmpty())
				Expect(s.duration).To(BeZero())
				node := map[studio.Profile]string{studio.ProfileV2: "error_handler",
					studio.ProfileV1: "planner"}[profile]
				Expect(s.story()).To(Equal([]string{
					"0s route planner unknown (" + strings.ToLower(code) + ")",
					fmt.Sprintf(`0s %s {"code":%q,"message":%q,"node":"planner"}`, node, code, reply.Content),
					fmt.Sprintf(`0s %s {"widgetType":"AgentMessage","props":{"state":"failed","text":%q,"isThinking":false}}`, node, reply.Content),
					"0s done " + reply.Content,
				}))
			},
			Entry("an empty message", agent.Turn{}, "EMPTY_INPUT", "还没有收到内容"),
			Entry("only spaces and other invisible characters", agent.Turn{Text: " \t\n\u3000\u200b"},
				"EMPTY_INPUT", "还没有收到内容"),
			Entry("an emoji", agent.Turn{Text: "😂😂"}, "NOT_UNDERSTOOD", "没太明白"),
			Entry("an emoji with a skin tone", agent.Turn{Text: "👍🏽"}, "NOT_UNDERSTOOD", "没太明白"),
			Entry("an emoji that combines several characters", agent.Turn{Text: "👨‍👩‍👧"}, "NOT_UNDERSTOOD", "没太明白"),
			Entry("the emoji of a flag", agent.Turn{Text: "🇨🇳"}, "NOT_UNDERSTOOD", "没太明白"),
			Entry("emoji of digits and letters", agent.Turn{Text: "1️⃣ 2\u20E3 ℹ️"}, "NOT_UNDERSTOOD", "没太明白"),
			Entry("only Chinese punctuation", agent.Turn{Text: "。。。？！"}, "NOT_UNDERSTOOD", "没太明白"),
			Entry("only punctuation", agent.Turn{Text: "???"}, "NOT_UNDERSTOOD", "没太明白"),
			Entry("a text above the maximal length of 2000 characters", agent.Turn{Text: long}, "TEXT_TOO_LONG", "太长"),
			Entry("emoji above the maximal length", agent.Turn{Text: strings.Repeat("😂", 2001)}, "TEXT_TOO_LONG", "太长"),
			Entry("a text above the maximal length, with a mask",
				agent.Turn{Text: long, Mask: mask(1), Images: []string{canvas}}, "TEXT_TOO_LONG", "太长"),
		)

		DescribeTable(string(profile)+": calls the model for an input with words",
			func(t agent.Turn) {
				s := newStage(profile, answer)
				s.runTurn(t)
				Expect(s.server.Calls("router")).To(Equal(1))
			},
			Entry("a text of exactly the maximal length", agent.Turn{Text: strings.Repeat("画", 2000)}),
			Entry("a word between emoji", agent.Turn{Text: "😂猫😂"}),
			Entry("a digit with punctuation", agent.Turn{Text: "2?"}),
			Entry("a letter with an emoji variation selector", agent.Turn{Text: "猫\uFE0F"}),
			Entry("a Japanese text", agent.Turn{Text: "ねこ"}),
			Entry("an emoji with a mask", agent.Turn{Text: "🐱", Mask: mask(1), Images: []string{canvas}}),
		)

		It(string(profile)+": edits the masked area for a mask without a text, and calls no model", func() {
			s := newStage(profile, answer)
			var job studio.ImageRequest
			s.config.ImageGenerator = imageGeneratorOf(&job)
			t := repaint()
			t.Text = "  "
			reply := s.runTurn(t)
			Expect(reply.Predicted).To(Equal("inpainting"))
			Expect(reply.AnsweredBy).To(Equal("inpainting"))
			Expect(reply.DecidedBy).To(Equal("guard"))
			Expect(reply.Confidence).To(Equal(0.9))
			Expect(job.Prompt).To(Equal("重新绘制蒙版选中的区域，与画面其余部分自然衔接"))
			Expect(s.server.Log()).To(BeEmpty())
			Expect(s.queries).To(BeEmpty(), "there is nothing to search for")
		})

		It(string(profile)+": requests a mask if the plan needs one and the turn has only an image", func() {
			s := newStage(profile, planV2("inpainting", 0.9))
			if profile == studio.ProfileV1 {
				s = newStage(profile, planV1("inpainting"))
			}
			reply := s.runTurn(agent.Turn{Text: "把这里换成一只狗", Images: []string{canvas}})
			Expect(failure(reply)).To(Equal("MASK_REQUIRED planner"))
			Expect(reply.Content).To(ContainSubstring("蒙版"))
			Expect(reply.Predicted).To(Equal("inpainting"))
			Expect(reply.DecidedBy).To(Equal("llm"))
			Expect(s.stream()).To(HavePrefix("thought_log:planner error:"))
			Expect(s.queries).To(BeEmpty())
		})

		It(string(profile)+": uses only the newest 50 messages of the conversation", func() {
			plan, images := planV2("adjust_parameters", 0.9), "https://a.example/%d.png"
			if profile == studio.ProfileV1 {
				plan = planV1("parameter_adjustment")
			}
			pictured := func(at int) agent.Turn {
				t := agent.Turn{Text: "再亮一点"}
				for i := range 61 {
					m := agent.Message{Role: []string{"user", "assistant"}[i%2], Content: fmt.Sprint("第", i)}
					if i == at {
						m.GeneratedImageURL = fmt.Sprintf(images, i)
					}
					t.History = append(t.History, m)
				}
				return t
			}
			base := func(at int) string {
				s := newStage(profile, plan)
				var job studio.ImageRequest
				s.config.ImageGenerator = imageGeneratorOf(&job)
				s.runTurn(pictured(at))
				return job.BaseImage
			}
			Expect(base(11)).To(Equal(fmt.Sprintf(images, 11)))
			Expect(base(10)).To(BeEmpty())
		})
	}

	It("rejects a text above the configured maximal length", func() {
		s := newStage(studio.ProfileV2, planV2("generate_image", 0.9))
		s.config.MaxText = 5
		Expect(failure(s.runText("画一只大大猫"))).To(Equal("TEXT_TOO_LONG planner"))
		Expect(s.runText("画一只大猫").ErrorReply).To(BeNil())
	})
})

var _ = Describe("S8: A second request of a session that is still busy with the first", func() {
	// both sends the first text and, 300 ms later, the second one in the same session. It returns
	// both replies, their times and their events.
	both := func(s *stage, memory session.Config, texts ...string) (replies [2]agent.Reply, ends [2]time.Duration,
		events [2][]trace.Event) {
		GinkgoHelper()
		store, err := session.New(memory)
		Expect(err).NotTo(HaveOccurred())
		a := &session.Agent{Next: s.open(), Store: store, BusyAgent: studio.NewBusyAgent()}
		Expect(clock.RunSimulated(context.Background(), noon, func(ctx context.Context) error {
			g, _ := clock.NewGroup(ctx, 0)
			for i, text := range texts {
				g.Go("user", func(ctx context.Context) (err error) {
					if err := clock.Sleep(ctx, time.Duration(i)*300*time.Millisecond); err != nil {
						return err
					}
					replies[i], err = a.Respond(ctx, agent.Turn{Text: text, Session: "s1"},
						func(e trace.Event) { events[i] = append(events[i], e) })
					ends[i] = clock.Since(ctx, noon)
					return err
				})
			}
			return g.Wait()
		})).To(Succeed())
		return replies, ends, events
	}

	It("is answered after the first one in v2, with the first one in its history", func() {
		s := newStage(studio.ProfileV2, planV2("generate_image", 0.9))
		replies, ends, _ := both(s, session.Config{}, "画一只猫", "再来一张狗")
		Expect(replies[0].AnsweredBy).To(Equal("generate_image"))
		Expect(replies[1].AnsweredBy).To(Equal("generate_image"))
		Expect(ends[1]).To(BeNumerically(">", ends[0]+2*time.Second))
		Expect(s.sent(1).Messages[1].Content).To(Equal("上一次生成的结果：" + replies[0].GeneratedImageURL))
	})

	DescribeTable("X6: is possible after the first one was canceled at any event, because the session is released",
		func(profile studio.Profile) {
			for at, over := 1, false; !over; at++ {
				s := reviewed(profile, studio.CriticLLM, scores(0.2, 0.3, 0.9))
				store, err := session.New(session.Config{RejectWhenBusy: profile == studio.ProfileV1})
				Expect(err).NotTo(HaveOccurred())
				a := &session.Agent{Next: s.open(), Store: store}
				s.events = nil
				Expect(clock.RunSimulated(context.Background(), noon, func(ctx context.Context) error {
					limited, cancel := context.WithCancel(ctx)
					defer cancel()
					reply, err := a.Respond(limited, agent.Turn{Text: wish, Session: "s1"}, func(e trace.Event) {
						if s.events = append(s.events, e); len(s.events) == at {
							cancel()
						}
					})
					over = len(s.events) < at
					Expect(reply.AnsweredBy == "").To(Equal(err != nil))
					Expect(s.eventLines(trace.KindDone)).To(HaveLen(1))
					Expect(s.events[len(s.events)-1].Kind).To(Equal(trace.KindDone))
					return store.WithSession(ctx, "s1", func(_ context.Context, conversation *session.Session) error {
						Expect(conversation.History).To(HaveLen(2))
						Expect(strings.HasPrefix(conversation.History[1].Content, "（这")).
							To(Equal(err != nil), "31.1: what was not answered is remembered with a note")
						return nil
					})
				})).To(Succeed())
			}
		}, Entry(nil, studio.ProfileV2), Entry(nil, studio.ProfileV1))

	It("is rejected in v1 with the error reply BUSY", func() {
		s := newStage(studio.ProfileV1, planV1("generate_image"))
		replies, ends, events := both(s, session.Config{RejectWhenBusy: true}, "画一只猫", "再来一张狗")
		Expect(replies[0].AnsweredBy).To(Equal("generate_image"))
		Expect(ends[1]).To(Equal(300 * time.Millisecond))
		Expect(replies[1].AnsweredBy).To(Equal("busy"))
		Expect(replies[1].Predicted).To(BeEmpty())
		Expect(replies[1].ErrorReply.Code).To(Equal("BUSY"))
		Expect(replies[1].Content).To(ContainSubstring("处理中"))
		s.events = events[1]
		s.checkEvents(replies[1])
		Expect(s.story()[0]).To(Equal("0s guard session  (busy)"), "X4, and before the component")
		Expect(s.components()).To(Equal([]string{
			`{"widgetType":"AgentMessage","props":{"state":"processing","text":"` + replies[1].Content +
				`","isThinking":true}}`}))
	})
})

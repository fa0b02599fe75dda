package studio_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/llm"
	"evalctl/agent/session"
	"evalctl/agent/studio"
	"evalctl/agent/trace"
	"evalctl/mocks/model"
)

var _ = Describe("A session without an image", func() {
	DescribeTable("31.2: the studio requests a mask only for an image that exists",
		func(text string) {
			for profile, plan := range map[studio.Profile]string{studio.ProfileV1: planV1("generate_image"),
				studio.ProfileV2: planV2("generate_image", 1)} {
				s := newStage(profile, plan)
				Expect(s.runText(text).AnsweredBy).To(Equal("generate_image"), string(profile))
				reply := s.runTurn(agent.Turn{Text: text, Images: []string{canvas}})
				Expect(failure(reply)).To(Equal("MASK_REQUIRED planner"), string(profile))
			}
			Expect(failure(newStage(studio.ProfileV2, planV2("inpainting", 1)).runText(text))).
				To(Equal("BASE_IMAGE_REQUIRED planner"))
		},
		Entry(nil, "把这个角落改成阅读区，帮我画个效果图"),
		Entry(nil, "please turn this corner of my balcony into a garden, draw it"),
		Entry(nil, "fix up this area with plants - render of my rooftop"),
	)

	DescribeTable("31.2: the studio asks what to adjust", func(text string) {
		for profile, plan := range map[studio.Profile]string{studio.ProfileV1: planV1("generate_image"),
			studio.ProfileV2: planV2("adjust_parameters", 1)} {
			s := newStage(profile, plan)
			Expect(failure(s.runText(text))).To(Equal("NOTHING_TO_ADJUST planner"))
			Expect(s.attempts).To(BeZero(), "no image is generated")
			reply := s.runTurn(agent.Turn{Text: text, Images: []string{canvas}})
			Expect(reply.ErrorReply).To(BeNil())
		}
	},
		Entry(nil, "再调整一下"), Entry(nil, "麻烦再改一下吧"), Entry(nil, "再来一张"), Entry(nil, "Adjust it a bit, please!"),
		Entry(nil, "another one"), Entry(nil, "再亮一点"), Entry(nil, "调整一下颜色"), Entry(nil, "make it brighter"),
	)

	It("31.2: the studio asks what to adjust if the plan has no subject", func() {
		plan := strings.Replace(planV2("adjust_parameters", 1), "猫", "", 1)
		Expect(failure(newStage(studio.ProfileV2, plan).runText("make the sky brighter"))).
			To(Equal("NOTHING_TO_ADJUST planner"))
	})

	DescribeTable("31.2: the studio generates an image of a text that names something", func(text string) {
		Expect(newStage(studio.ProfileV2, planV2("generate_image", 1)).runText(text).ErrorReply).To(BeNil())
	}, Entry(nil, "再画一只戴帽子的猫"), Entry(nil, "another cat, on a roof"), Entry(nil, "画一张图"), Entry(nil, "改变世界的人"),
		Entry(nil, "画一张大图"), Entry(nil, "draw a colour"))
})

var _ = DescribeTable("31.2: The planner's invalid answer is read by its values, not its keys, and without negated words",
	func(raw, action string) {
		got, _ := studio.ReadKeywords(raw)
		Expect(got).To(Equal(action))
	},
	Entry("a key that contains a keyword", `{"action":"make_picture","parameters":{"style_strength":50}}`,
		"generate_image"),
	Entry("a key that is the name of an action", `{"adjust_parameters":{},"action":"draw a new picture`,
		"generate_image"),
	Entry("keys without quotes", `{parameters: {}, action: create_image}`, "generate_image"),
	Entry("keys alone", `{"inpainting":false,"generate":true}`, "unknown"),
	Entry("a subject that contains a keyword", `{"subject":"a masked hero","action":"make_image"}`, "generate_image"),
	Entry("a negated action", `This is not an inpainting task; the user wants a new image`, "generate_image"),
	Entry("a negated verb", `The user does not want to have anything adjusted, they want to generate an image`,
		"generate_image"),
	Entry("a negation after the word", `Inpainting isn’t what they ask for. A new picture is.`, "generate_image"),
	Entry("a negation after a Chinese word", `局部重绘不合适，应生成新图`, "generate_image"),
	Entry("a negation of another clause", `No mask was given so the user wants the sky adjusted`, "adjust_parameters"),
	Entry("a word within a longer word", `repaint the region`, "inpainting"),
)

// conversation returns a function that sends turns in one session of a studio.
func (s *stage) conversation(scene func(send func(agent.Turn) agent.Reply)) {
	GinkgoHelper()
	store, err := session.New(session.Config{})
	Expect(err).NotTo(HaveOccurred())
	a := &session.Agent{Next: s.open(), Store: store}
	s.inSimulation(func(ctx context.Context, _ func(agent.Turn) agent.Reply) {
		scene(func(t agent.Turn) agent.Reply {
			GinkgoHelper()
			t.Session = "s1"
			if !s.cancels {
				reply, err := a.Respond(ctx, t, nil)
				Expect(err).NotTo(HaveOccurred())
				return reply
			}
			ctx, cancel := clock.WithTimeout(ctx, time.Millisecond)
			defer cancel()
			reply, err := a.Respond(ctx, t, nil)
			Expect(err).To(MatchError(context.DeadlineExceeded))
			return reply
		})
	})
}

var _ = Describe("The buttons of the studio", func() {
	var (
		s      *stage
		jobs   []studio.ImageRequest
		broken bool
	)
	BeforeEach(func() {
		s, jobs, broken = newStage(studio.ProfileV2, planV2("generate_image", 0.9)), nil, false
		s.search = nil
		s.config.ImageGenerator = imageGenerator(func(_ context.Context, j studio.ImageRequest) (studio.Image, error) {
			if broken {
				return studio.Image{}, &llm.Error{Kind: llm.KindServerError, Err: errors.New("down")}
			}
			jobs = append(jobs, j)
			return studio.Image{URL: fmt.Sprintf("https://a.example/%d.png", len(jobs)), Reusable: true}, nil
		})
	})

	DescribeTable("31.3: generate another image of the last request, also if the user types the label",
		func(press agent.Turn) {
			s.conversation(func(send func(agent.Turn) agent.Reply) {
				send(agent.Turn{Text: "画一只猫"})
				send(press)
				Expect(send(press).GeneratedImageURL).To(Equal("https://a.example/3.png"))
			})
			for i, j := range jobs {
				Expect(j.Prompt).To(Equal("画一只猫"))
				Expect(j.PriorImageCount).To(Equal(i))
			}
		},
		Entry(nil, agent.Turn{ButtonID: "regenerate_btn"}),
		Entry(nil, agent.Turn{ButtonID: "regenerate_btn", Text: "重新生成"}),
		Entry(nil, agent.Turn{Text: "重新生成"}), Entry(nil, agent.Turn{Text: "[Regenerate]"}),
		Entry(nil, agent.Turn{Text: "regenerate_btn"}),
	)

	DescribeTable("31.3: repeat a request that failed", func(press agent.Turn) {
		s.conversation(func(send func(agent.Turn) agent.Reply) {
			broken = true
			Expect(send(agent.Turn{Text: "画一只猫", Images: []string{canvas}}).ErrorReply.Code).
				To(Equal("EXECUTOR_FAILED"))
			Expect(send(agent.Turn{ButtonID: "retry_btn"}).ErrorReply.Code).To(Equal("EXECUTOR_FAILED"))
			broken = false
			Expect(send(press).AnsweredBy).To(Equal("generate_image"))
		})
		Expect(jobs).To(HaveLen(1))
		Expect(jobs[0].Prompt).To(Equal("画一只猫"))
	}, Entry(nil, agent.Turn{ButtonID: "retry_btn"}), Entry(nil, agent.Turn{ButtonID: "retry_btn", Text: "重试"}),
		Entry(nil, agent.Turn{Text: "Retry"}))

	DescribeTable("31.1: a request that failed or was canceled is repeated by words that only request this",
		func(words string) {
			s.conversation(func(send func(agent.Turn) agent.Reply) {
				broken = true
				Expect(send(agent.Turn{Text: "画一只猫"}).ErrorReply.Code).To(Equal("EXECUTOR_FAILED"))
				Expect(send(agent.Turn{Text: words}).ErrorReply.Code).To(Equal("EXECUTOR_FAILED"))
				broken = false
				Expect(send(agent.Turn{Text: words}).AnsweredBy).To(Equal("generate_image"))
			})
			Expect(jobs[0].Prompt).To(Equal("画一只猫"))
			jobs = nil
			history := agent.IncompleteTurnMessages(agent.Turn{Text: "画一只猫"}, agent.Reply{})
			Expect(s.runTurn(agent.Turn{Text: words, History: history}).AnsweredBy).To(Equal("generate_image"))
			Expect(jobs[0].Prompt).To(Equal("画一只猫"))
		},
		Entry(nil, "继续"), Entry(nil, "再试一次"), Entry(nil, "请再来一次吧"), Entry(nil, "Try again, please!"),
		Entry(nil, "go on"), Entry(nil, "once more"), Entry(nil, "重试"),
	)

	It("31.1: a retry repeats the last request that was not answered: a canceled one after a failed one", func() {
		s.conversation(func(send func(agent.Turn) agent.Reply) {
			broken = true
			Expect(send(agent.Turn{Text: "画一只猫"}).ErrorReply.Code).To(Equal("EXECUTOR_FAILED"))
			broken, s.cancels = false, true
			send(agent.Turn{Text: "画一只狗"})
			send(agent.Turn{ButtonID: "retry_btn"})
			s.cancels = false
			send(agent.Turn{Text: "重试"})
		})
		Expect(jobs).To(HaveExactElements(HaveField("Prompt", "画一只狗")))
	})

	It("31.1: an image is regenerated even if a later request was answered by a request for a mask", func() {
		s.conversation(func(send func(agent.Turn) agent.Reply) {
			send(agent.Turn{Text: "画一只猫"})
			Expect(send(agent.Turn{Text: "把这里换成狗"}).ErrorReply.Code).To(Equal("MASK_REQUIRED"))
			send(agent.Turn{ButtonID: "regenerate_btn"})
		})
		Expect(jobs[1].Prompt).To(Equal("画一只猫"))
	})

	It("31.3: append a suggestion of the critic to the last request; a second suggestion replaces the first", func() {
		s.conversation(func(send func(agent.Turn) agent.Reply) {
			send(agent.Turn{Text: "画一只猫"})
			send(agent.Turn{ButtonID: "suggestion_2_btn", Text: "补上尾巴"})
			send(agent.Turn{ButtonID: "edit_prompt_btn", Text: "画一只狗"})
		})
		Expect(jobs[1].Prompt).To(Equal("画一只猫，补上尾巴"))
		Expect(jobs[2].Prompt).To(Equal("画一只狗"))
	})

	DescribeTable("31.3: request what is missing, and generate nothing", func(press agent.Turn, code string) {
		s.conversation(func(send func(agent.Turn) agent.Reply) {
			if code == "DETAILS_REQUIRED" {
				send(agent.Turn{Text: "画一只猫"})
			}
			jobs = nil
			Expect(send(press).ErrorReply.Code).To(Equal(code))
		})
		Expect(jobs).To(BeEmpty())
	},
		Entry(nil, agent.Turn{ButtonID: "regenerate_btn"}, "NOTHING_TO_REPEAT"),
		Entry(nil, agent.Turn{Text: "重试"}, "NOTHING_TO_REPEAT"),
		Entry(nil, agent.Turn{Text: "修改 Prompt"}, "DETAILS_REQUIRED"),
		Entry(nil, agent.Turn{ButtonID: "edit_prompt_btn", Text: "Edit the prompt"}, "DETAILS_REQUIRED"),
		Entry(nil, agent.Turn{Text: "尝试调整风格强度"}, "DETAILS_REQUIRED"),
		Entry(nil, agent.Turn{ButtonID: "suggestion_1_btn"}, "DETAILS_REQUIRED"),
	)

	It("31.3: leave a sentence that contains a label to the planner", func() {
		s.runText("重新生成一张雪山的图")
		Expect(jobs[0].Prompt).To(Equal("重新生成一张雪山的图"))
	})
})

var _ = DescribeTable("31.3: The critic's suggestions reach the next attempt only if this is configured",
	func(profile studio.Profile, apply bool, suggestions string, prompts ...string) {
		s := reviewed(profile, studio.CriticLLM, func(r model.Request) string {
			return fmt.Sprintf(`{"score":0.1,"suggestions":%s}`,
				strings.ReplaceAll(suggestions, "#", fmt.Sprint(r.CallNumber)))
		})
		s.search, s.config.ApplySuggestions = nil, apply
		var got []string
		s.config.ImageGenerator = imageGenerator(func(_ context.Context, j studio.ImageRequest) (studio.Image, error) {
			got = append(got, j.Prompt)
			return studio.Image{URL: canvas}, nil
		})
		reply := s.runText("a cat")
		Expect(reply.GeneratedImageURL).To(Equal(canvas))
		Expect(got).To(Equal(prompts))
		loops := s.eventLines(trace.KindCriticLoop)
		Expect(loops[len(loops)-1]).To(HaveSuffix("(exhausted)"))
	},
	Entry("v2 ignores them by default", studio.ProfileV2, false, `["add a tail"]`, "a cat", "a cat", "a cat", "a cat"),
	Entry("v2 adds new ones to the prompt", studio.ProfileV2, true, `["tail #"]`, "a cat", "a cat, tail 1",
		"a cat, tail 1, tail 2", "a cat, tail 1, tail 2, tail 3"),
	Entry("v2 ends if there is no new one", studio.ProfileV2, true, `["add a tail"]`, "a cat", "a cat, add a tail"),
	Entry("v2 ends if there is none", studio.ProfileV2, true, `[]`, "a cat"),
	Entry("v1 adds new ones to the prompt", studio.ProfileV1, true, `["tail #"]`, "a cyberpunk cat",
		"a cyberpunk cat, tail 1", "a cyberpunk cat, tail 1, tail 2"),
)

var _ = DescribeTable("31.3: An English user receives English texts",
	func(profile studio.Profile, plan string, score float64, t agent.Turn) {
		s := reviewed(profile, studio.CriticLLM,
			func(model.Request) string { return fmt.Sprintf(`{"score":%v}`, score) })
		s.plan = newStage(profile, plan).plan
		reply := s.runTurn(t)
		shown := append(s.components(), reply.Content)
		for _, kind := range []trace.Kind{trace.KindThoughtLog, trace.KindError} {
			shown = append(shown, s.eventLines(kind)...)
		}
		for _, text := range shown {
			Expect(strings.ContainsFunc(strings.NewReplacer("猫", "", "赛博朋克", "").Replace(text),
				func(r rune) bool { return unicode.Is(unicode.Han, r) })).To(BeFalse(), text)
		}
	},
	Entry(nil, studio.ProfileV2, planV2("generate_image", 0.9), 0.9, agent.Turn{Text: "draw a cat"}),
	Entry(nil, studio.ProfileV2, planV2("generate_image", 0.9), 0.1, agent.Turn{Text: "draw a cat"}),
	Entry(nil, studio.ProfileV1, planV1("generate_image"), 0.9, agent.Turn{Text: "draw a cat"}),
	Entry(nil, studio.ProfileV1, planV1("generate_image"), 0.1, agent.Turn{Text: "draw a cat"}),
	Entry(nil, studio.ProfileV1, planV1("generate_image"), 0.7, agent.Turn{Text: "draw a cat"}),
	Entry(nil, studio.ProfileV2, planV2("unknown", 0.9), 0.9, agent.Turn{Text: "hello"}),
	Entry(nil, studio.ProfileV2, planV2("inpainting", 0.9), 0.9, agent.Turn{Text: "fix this area"}),
	Entry(nil, studio.ProfileV1, planV1("inpainting"), 0.9,
		agent.Turn{Text: "fix this area", Images: []string{canvas}}),
	Entry(nil, studio.ProfileV2, planV2("generate_image", 0.9), 0.9,
		agent.Turn{Text: "cat", Mask: "data:image/png;base64,AAAA"}),
	Entry("an emoji after an English message", studio.ProfileV2, planV2("generate_image", 0.9), 0.9,
		agent.Turn{Text: "😂", History: []agent.Message{{Role: "user", Content: "draw a cat"}}}),
)

var _ = DescribeTable("31.2: The number of styles and attempts reads correctly in English, also if it is 1",
	func(profile studio.Profile, plan, thought, content string) {
		s := reviewed(profile, studio.CriticLLM, func(model.Request) string { return `{"score":0.1}` })
		s.plan = newStage(profile, plan).plan
		reply := s.runTurn(agent.Turn{Text: "draw a cat"})
		Expect(s.eventLines(trace.KindThoughtLog)).To(ContainElement(ContainSubstring(thought)))
		Expect(reply.Content).To(ContainSubstring(content))
	},
	Entry(nil, studio.ProfileV2, planV2("generate_image", 0.9), "Matching styles (1): ", "rejected in attempt 4)"),
	Entry(nil, studio.ProfileV1, planV1("generate_image"), "Matching styles: 1.", ""),
)

package newsroom_test

import (
	"context"
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/imagegen"
	"evalctl/agent/newsroom"
	"evalctl/agent/trace"
	"evalctl/mocks/model"
)

const planned = `"imagePlans":[{"id":"c","prompt":"猫"},{"id":"d","prompt":"狗"}]`

var _ = Describe("the images of a post", func() {
	DescribeTable("N6: are complete in the supervisor's status if every plan has one",
		func(state, progress string) {
			Expect(newsroom.Status(`{`+state+`}`, sampleRequest)).
				To(ContainSubstring("- generatedImageAssetIds: " + progress + "\n"))
		},
		Entry(nil, planned+`,"generatedImageAssetIds":["https://x/1#c","https://x/2#d"]`, "done"),
		Entry("not with two images of other plans",
			planned+`,"generatedImageAssetIds":["https://x/1#a","https://x/2#b"]`,
			"partial 0/2"),
		Entry("not with two images of the same plan",
			planned+`,"generatedImageAssetIds":["https://x/1#c","https://x/2#c"]`,
			"partial 1/2"),
		Entry("with two images without a plan ID, as a case may define them",
			planned+`,"generatedImageAssetIds":["img_1","img_2"]`, "done"),
		Entry("with one image with a plan ID and one without",
			planned+`,"generatedImageAssetIds":["img_1","https://x/1#c"]`,
			"done"),
		Entry("not with one image for two plans", planned+`,"generatedImageAssetIds":["img_1"]`, "partial 1/2"),
		Entry("not without an image", planned, "missing"),
	)

	It("N6: are generated if the existing images belong to other plans, which are not part of the post", func() {
		s := newStage(followPath("image_agent", "review_agent", "END"))
		r := s.runTurns(turnWithState("出图",
			`{`+text+`,`+planned+`,"generatedImageAssetIds":["https://x/1#a","https://x/2#b"]}`))[0]
		Expect(strings.Count(r.Content, "![")).To(Equal(2))
		Expect(r.Content).To(And(ContainSubstring("#c)"), ContainSubstring("#d)"), Not(ContainSubstring("https://x/"))))
	})

	It("N6: are dropped for plans that were replaced, and kept for unchanged plans", func() {
		s := newStage(script("image_planner_agent", "review_agent"))
		s.replies["image_plan"] = questionAnswers(
			`{"imagePlans":[{"id":"c","prompt":"猫"},{"id":"d","prompt":"鸟"},{"id":"e","prompt":"鱼"}]}`)
		r := s.runTurns(turnWithState("换一张", `{`+text+`,`+planned+`,"generatedImageAssetIds":["img_1","img_2"]}`))[0]
		Expect(s.requests["router"][1].Text).To(ContainSubstring("- generatedImageAssetIds: partial 1/3\n"))
		Expect(r.Content).To(And(ContainSubstring("(img_1#c)"), Not(ContainSubstring("img_2"))))
	})

	// paintsEvery is an image agent that requests an image for each of the plans in its first answer.
	paintsEvery := func(plans ...string) func(model.Request) model.Answer {
		calls := 0
		return func(model.Request) (a model.Answer) {
			if calls++; calls > 1 {
				return model.Answer{Content: `{"generatedImageAssetIds":[]}`}
			}
			for _, id := range plans {
				a.ToolCalls = append(a.ToolCalls,
					model.ToolCall{Name: "generate_image", Arguments: fmt.Sprintf(`{"plan_id":%q,"prompt":"再画"}`, id)})
			}
			return a
		}
	}

	It("31.4: are not generated again, and the supervisor is informed", func() {
		s := newStage(followPath("image_agent", "review_agent", "END"))
		s.replies["image_agent"] = paintsEvery("d")
		r := s.runTurns(turnWithState("第二张重画",
			`{`+text+`,`+planned+`,"generatedImageAssetIds":["https://x/1#c","https://x/2#d"]}`))[0]
		Expect(r.Content).To(And(ContainSubstring("(https://x/1#c)"), ContainSubstring("(https://x/2#d)")))
		Expect(s.requests["router"][1].Text).To(ContainSubstring("image_agent: done（方案没有变，已有的图没有重画"))
	})

	It("31.4: are generated again for a plan that changed", func() {
		s := newStage(followPath("image_planner_agent", "image_agent", "review_agent", "END"))
		s.replies["image_plan"] = questionAnswers(`{"imagePlans":[{"id":"c","prompt":"猫"},{"id":"d","prompt":"黑狗"}]}`)
		s.replies["image_agent"] = paintsEvery("c", "d")
		r := s.runTurns(turnWithState("第二张重画",
			`{`+text+`,`+planned+`,"generatedImageAssetIds":["https://x/1#c","https://x/2#d"]}`))[0]
		Expect(r.Content).To(And(ContainSubstring("(https://x/1#c)"), ContainSubstring("picsum"),
			Not(ContainSubstring("https://x/2"))))
	})

	It("31.4: are all generated, with more plans than calls in one visit, although the agent repeats the first",
		func() {
			s := newStage(followPath("image_agent", "image_agent", "review_agent", "END"))
			var plans, ids []string
			for i := range 15 {
				ids = append(ids, fmt.Sprint("p", i))
				plans = append(plans, fmt.Sprintf(`{"id":%q,"prompt":"图%d"}`, ids[i], i))
			}
			s.replies["image_agent"] = func(r model.Request) model.Answer {
				if len(r.Messages) > 3 {
					return model.Answer{Content: `{"generatedImageAssetIds":[]}`}
				}
				return paintsEvery(ids...)(r)
			}
			s.decides = script("image_agent", "image_agent", "review_agent")
			r := s.runTurns(turnWithState("出图", `{`+text+`,"imagePlans":[`+strings.Join(plans, ",")+`]}`))[0]
			Expect(strings.Count(r.Content, "![")).To(Equal(15))
			painted := 0
			for _, e := range s.events {
				if e.Kind == trace.KindSpan && e.Node == "image" {
					painted++
				}
			}
			Expect(painted).To(Equal(15))
		})

	It("N6: are assigned to plans by ID, even if IDs have special characters or prompts are equal", func() {
		s := newStage(followPath("image_agent", "review_agent", "END"))
		r := s.runTurns(turnWithState("出图",
			`{`+text+`,"imagePlans":[{"id":"cover 1","prompt":"猫"},{"id":"a#b)","prompt":"猫"},{"id":"","prompt":"猫"},{"id":"cover 1","prompt":"猫"}]}`))[0]
		Expect(strings.Count(r.Content, "![")).To(Equal(4))
		Expect(r.Content).To(And(ContainSubstring("#cover%201)"), ContainSubstring("#a%23b%29)"),
			ContainSubstring("#img-3)"), ContainSubstring("#img-4)")))
	})
})

var _ = Describe("the image generator of a newsroom", func() {
	It("is the one that the state names, if that is configured, and the default otherwise", func() {
		s := newStage(nil)
		cfg := s.config()
		cfg.ImageGenerator = imageGenerator(func(newsroom.ImageRequest) (string, error) {
			return "https://usual/1",
				nil
		})
		cfg.ImageGenerators = map[string]newsroom.ImageGenerator{"dashscope": imageGenerator(
			func(newsroom.ImageRequest) (string, error) { return "https://named/1", nil })}
		a, err := newsroom.New(cfg)
		Expect(err).NotTo(HaveOccurred())
		for name, at := range map[string]string{"": "https://usual/1", "DashScope ": "https://named/1",
			"midjourney": "https://usual/1"} {
			s.decides = followPath("image_agent", "review_agent", "END")
			turn := turnWithState("出图", fmt.Sprintf(`{%s,%s,"imageGenProvider":%q}`, text, planned, name))
			Expect(s.runTurnsWith(a, turn)[0].Content).To(ContainSubstring(at), name)
			if name == "midjourney" {
				Expect(s.eventLines(trace.KindFallback)).To(Equal([]string{"image midjourney→generate_image unused"}))
			} else {
				Expect(s.eventLines(trace.KindFallback)).To(BeEmpty())
			}
		}
	})

	It("T6: accepts any size with DashScope, which uses the nearest supported one", func() {
		s := newStage(nil)
		s.serve()
		client, err := imagegen.New(imagegen.Config{Node: "image", APIKey: "mock", HTTP: s.link("image").HTTP})
		Expect(err).NotTo(HaveOccurred())
		Expect(clock.RunSimulated(context.Background(), noon, func(ctx context.Context) error {
			at, err := newsroom.DashScopeGenerator{Client: client}.Generate(ctx,
				newsroom.ImageRequest{Prompt: "一只猫", Size: "3:4"})
			Expect(at).To(HavePrefix("http"))
			return err
		})).To(Succeed())
	})

	It("is DashScope if the setting selects it; the state of a turn may select another one", func() {
		s := newStage(followPath("image_agent", "review_agent", "END"))
		s.values["image-generator"] = "dashscope"
		r := s.runTurns(turnWithState("出图", `{`+text+`,`+planned+`}`))[0]
		Expect(strings.Count(r.Content, "![")).To(Equal(2))
		Expect(r.Content).NotTo(ContainSubstring("picsum"))
		Expect(s.runTurnsWith(s.open(),
			agent.Turn{Text: "出图", State: turnWithState("", `{`+text+`,`+planned+`,"imageGenProvider":"placeholder"}`).
				State})[0].Content).To(ContainSubstring("picsum"))
	})

	It("15.11: is never the placeholder if a real endpoint of DashScope is configured", func() {
		s := newStage(followPath("image_agent", "review_agent", "END"))
		s.values["image-generator"], s.realImages = "dashscope", true
		r := s.runTurns(turnWithState("出图", `{`+text+`,`+planned+`,"imageGenProvider":"placeholder"}`))[0]
		Expect(strings.Count(r.Content, "![")).To(Equal(2))
		Expect(r.Content).NotTo(ContainSubstring("picsum"))
		Expect(s.eventLines(trace.KindFallback)).To(Equal([]string{"image placeholder→generate_image unused"}))
	})
})

var _ = It("15.11: The research agent without web search has no search tool, and its prompt mentions this", func() {
	s := newStage(followPath("brief_compiler_agent", "research_evidence_agent", "writer_agent", "review_agent", "END"))
	s.values["without"] = "search"
	s.runTurns(agent.Turn{Text: sampleRequest})
	Expect(s.requests["research"]).NotTo(BeEmpty())
	for _, r := range s.requests["research"] {
		Expect(r.Tools).To(BeEmpty())
		Expect(r.Messages[0].Text).To(ContainSubstring("你现在没有 search 工具"))
	}
	Expect(s.requests).NotTo(HaveKey("search"))
})

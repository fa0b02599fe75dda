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

var _ = Describe("pictures", func() {
	DescribeTable("N6: are complete where every plan has one",
		func(state, progress string) {
			Expect(newsroom.Status(`{`+state+`}`, wish)).To(ContainSubstring("- generatedImageAssetIds: " + progress + "\n"))
		},
		Entry(nil, planned+`,"generatedImageAssetIds":["https://x/1#c","https://x/2#d"]`, "done"),
		Entry("of other plans", planned+`,"generatedImageAssetIds":["https://x/1#a","https://x/2#b"]`, "partial 0/2"),
		Entry("twice of one", planned+`,"generatedImageAssetIds":["https://x/1#c","https://x/2#c"]`, "partial 1/2"),
		Entry("as a given state names them", planned+`,"generatedImageAssetIds":["img_1","img_2"]`, "done"),
		Entry("of which some are marked", planned+`,"generatedImageAssetIds":["img_1","https://x/1#c"]`, "done"),
		Entry("too few", planned+`,"generatedImageAssetIds":["img_1"]`, "partial 1/2"),
		Entry("none", planned, "missing"),
	)

	It("N6: of other plans are painted anew, and not shown", func() {
		s := newStage(along("image_agent", "review_agent", "END"))
		r := s.play(on("出图", `{`+text+`,`+planned+`,"generatedImageAssetIds":["https://x/1#a","https://x/2#b"]}`))[0]
		Expect(strings.Count(r.Content, "![")).To(Equal(2))
		Expect(r.Content).To(And(ContainSubstring("#c)"), ContainSubstring("#d)"), Not(ContainSubstring("https://x/"))))
	})

	It("N6: are gone with plans that are replaced, and stay with those that are not", func() {
		s := newStage(script("image_planner_agent", "review_agent"))
		s.says["image_plan"] = asking(`{"imagePlans":[{"id":"c","prompt":"猫"},{"id":"d","prompt":"鸟"},{"id":"e","prompt":"鱼"}]}`)
		r := s.play(on("换一张", `{`+text+`,`+planned+`,"generatedImageAssetIds":["img_1","img_2"]}`))[0]
		Expect(s.asked["router"][1].Text).To(ContainSubstring("- generatedImageAssetIds: partial 1/3\n"))
		Expect(r.Content).To(And(ContainSubstring("(img_1#c)"), Not(ContainSubstring("img_2"))))
	})

	It("N6: that are not painted again stay", func() {
		s := newStage(along("image_agent", "review_agent", "END"))
		calls := 0
		s.says["image_agent"] = func(model.Request) model.Answer {
			if calls++; calls == 1 {
				return model.Answer{ToolCalls: []model.ToolCall{{Name: "generate_image", Arguments: `{"plan_id":"d"}`}}}
			}
			return model.Answer{Content: `{"generatedImageAssetIds":[]}`}
		}
		r := s.play(on("第二张重画", `{`+text+`,`+planned+`,"generatedImageAssetIds":["https://x/1#c","https://x/2#d"]}`))[0]
		Expect(r.Content).To(And(ContainSubstring("(https://x/1#c)"), ContainSubstring("picsum"), Not(ContainSubstring("https://x/2"))))
	})

	It("N6: are told apart by plans of any id, and of the same words", func() {
		s := newStage(along("image_agent", "review_agent", "END"))
		r := s.play(on("出图", `{`+text+`,"imagePlans":[{"id":"cover 1","prompt":"猫"},{"id":"a#b)","prompt":"猫"},{"id":"","prompt":"猫"},{"id":"cover 1","prompt":"猫"}]}`))[0]
		Expect(strings.Count(r.Content, "![")).To(Equal(4))
		Expect(r.Content).To(And(ContainSubstring("#cover%201)"), ContainSubstring("#a%23b%29)"), ContainSubstring("#img-3)"), ContainSubstring("#img-4)")))
	})
})

var _ = Describe("the painter", func() {
	It("is the one that the state names, where there is a way to it", func() {
		s := newStage(nil)
		cfg := s.config()
		cfg.ImageGenerator = imageGenerator(func(newsroom.ImageRequest) (string, error) { return "https://usual/1", nil })
		cfg.ImageGenerators = map[string]newsroom.ImageGenerator{"dashscope": imageGenerator(func(newsroom.ImageRequest) (string, error) { return "https://named/1", nil })}
		a, err := newsroom.New(cfg)
		Expect(err).NotTo(HaveOccurred())
		for name, at := range map[string]string{"": "https://usual/1", "DashScope ": "https://named/1", "midjourney": "https://usual/1"} {
			s.decides = along("image_agent", "review_agent", "END")
			turn := on("出图", fmt.Sprintf(`{%s,%s,"imageGenProvider":%q}`, text, planned, name))
			Expect(s.playBy(a, turn)[0].Content).To(ContainSubstring(at), name)
			if name == "midjourney" {
				Expect(s.of(trace.KindFallback)).To(Equal([]string{"image midjourney→generate_image unused"}))
			} else {
				Expect(s.of(trace.KindFallback)).To(BeEmpty())
			}
		}
	})

	It("T6: paints by DashScope, in the nearest size that its model has", func() {
		s := newStage(nil)
		s.serve()
		client, err := imagegen.New(imagegen.Config{Node: "image", APIKey: "mock", HTTP: s.link("image").HTTP})
		Expect(err).NotTo(HaveOccurred())
		Expect(clock.Run(context.Background(), noon, func(ctx context.Context) error {
			at, err := newsroom.DashScope{Client: client}.Paint(ctx, newsroom.ImageRequest{Prompt: "一只猫", Size: "3:4"})
			Expect(at).To(HavePrefix("http"))
			return err
		})).To(Succeed())
	})

	It("is DashScope in a whole turn where that is set", func() {
		s := newStage(along("image_agent", "review_agent", "END"))
		s.values["image-generator"] = "dashscope"
		r := s.play(on("出图", `{`+text+`,`+planned+`}`))[0]
		Expect(strings.Count(r.Content, "![")).To(Equal(2))
		Expect(r.Content).NotTo(ContainSubstring("picsum"))
		Expect(s.playBy(s.open(), agent.Turn{Text: "出图", State: on("", `{`+text+`,`+planned+`,"imageGenProvider":"placeholder"}`).State})[0].Content).To(ContainSubstring("picsum"))
	})

	It("15.11: cannot be a placeholder that a request names beside a real one", func() {
		s := newStage(along("image_agent", "review_agent", "END"))
		s.values["image-generator"], s.realImages = "dashscope", true
		r := s.play(on("出图", `{`+text+`,`+planned+`,"imageGenProvider":"placeholder"}`))[0]
		Expect(strings.Count(r.Content, "![")).To(Equal(2))
		Expect(r.Content).NotTo(ContainSubstring("picsum"))
		Expect(s.of(trace.KindFallback)).To(Equal([]string{"image placeholder→generate_image unused"}))
	})
})

var _ = It("15.11: research without a web search has no tool and is told so", func() {
	s := newStage(along("brief_compiler_agent", "research_evidence_agent", "writer_agent", "review_agent", "END"))
	s.values["without"] = "search"
	s.play(agent.Turn{Text: wish})
	Expect(s.asked["research"]).NotTo(BeEmpty())
	for _, r := range s.asked["research"] {
		Expect(r.Tools).To(BeEmpty())
		Expect(r.Messages[0].Text).To(ContainSubstring("你现在没有 search 工具"))
	}
	Expect(s.asked).NotTo(HaveKey("search"))
})

package studio_test

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/studio"
)

var _ = Describe("S1: The flow of v2", func() {
	It("runs the nodes planner, rag, executor, critic and genui", func() {
		s := newStage(studio.ProfileV2, planV2("generate_image", 0.9))
		reply := s.runText(wish)
		image := `"imageUrl":"https://picsum.photos/seed/` + seedOf(reply.GeneratedImageURL) + `/800/600"`
		score := studio.HeuristicScore(7, wish, 1, 0.9)
		painted := s.events[6].Span.Duration
		Expect(painted).To(And(BeNumerically(">=", 2*time.Second), BeNumerically("<", 3*time.Second)))
		Expect(s.duration).To(Equal(time.Second + painted))
		end := s.duration.String() + " "
		Expect(s.story()).To(Equal([]string{
			"1s span planner deepseek#1 ok",
			"1s route planner generate_image (llm)",
			"1s planner 已识别意图：generate_image，置信度：0.9",
			"1s span rag style_library#1 ok",
			"1s rag 检索到 1 条相关风格：赛博朋克",
			"1s executor 开始执行任务：generate_image",
			end + "span executor placeholder#1 ok",
			end + "executor 任务执行完成",
			end + "critic 开始质量审查...",
			end + "review 1 by heuristic: " + formatScore(score) + " true",
			end + "critic 审查完成，得分：" + formatScore(score) + "，通过",
			end + `genui {"widgetType":"SmartCanvas","props":{` + image + `,"mode":"view"}}`,
			end + `genui {"widgetType":"ActionPanel","props":{"actions":[{"id":"regenerate_btn","label":"重新生成","type":"button"}]}}`,
			end + `genui {"widgetType":"AgentMessage","props":{"state":"success","text":"图片质量符合要求（得分 ` +
				formatScore(score) + `）。","isThinking":false}}`,
			end + "done 图片质量符合要求（得分 " + formatScore(score) + "）。",
		}))
		Expect(reply).To(Equal(agent.Reply{
			Content: "图片质量符合要求（得分 " + formatScore(score) + "）。", Predicted: "generate_image",
			AnsweredBy: "generate_image",
			DecidedBy:  "llm", Confidence: 0.9, GeneratedImageURL: reply.GeneratedImageURL,
			Slots:         map[string]string{"subject": "猫", "style": "赛博朋克"},
			Retrieved:     []agent.Hit{{ID: "cyberpunk", Similarity: 0.95}},
			ModelDecision: &agent.ModelDecision{Label: "generate_image", Confidence: new(0.9)},
		}))
	})

	plan := func(action string, confidence float64) *studio.Intent {
		return &studio.Intent{Action: action, Confidence: confidence}
	}

	DescribeTable("chooses the next node", func(edge func(*studio.State) string, s studio.State, want string) {
		Expect(edge(&s)).To(Equal(want))
	},
		Entry("after a plan with a confidence above 0.5: rag", studio.AfterPlannerV2,
			studio.State{Intent: plan("generate_image", 0.51)}, "rag"),
		Entry("after a plan with a confidence of exactly 0.5: error_handler", studio.AfterPlannerV2,
			studio.State{Intent: plan("generate_image", 0.5)},
			"error_handler"),
		Entry("after the action unknown: error_handler", studio.AfterPlannerV2,
			studio.State{Intent: plan("unknown", 1)}, "error_handler"),
		Entry("after the planner without a plan: error_handler", studio.AfterPlannerV2, studio.State{},
			"error_handler"),
		Entry("after an error in the planner: error_handler", studio.AfterPlannerV2,
			studio.State{Intent: plan("inpainting", 1), Error: studio.AnyError}, "error_handler"),
		Entry("after rag: executor", studio.AfterRAGV2, studio.State{}, "executor"),
		Entry("after an error in rag: error_handler", studio.AfterRAGV2, studio.State{Error: studio.AnyError},
			"error_handler"),
		Entry("after an image: critic", studio.AfterExecutorV2, studio.State{Result: &studio.Image{URL: "u"}},
			"critic"),
		Entry("after the executor without an image: error_handler", studio.AfterExecutorV2, studio.State{},
			"error_handler"),
		Entry("after an error in the executor: error_handler", studio.AfterExecutorV2,
			studio.State{Result: &studio.Image{URL: "u"}, Error: studio.AnyError}, "error_handler"),
		Entry("after an image that passes: genui", studio.AfterCriticV2,
			studio.State{Quality: &studio.Quality{Passed: true}}, "genui"),
		Entry("after the first rejected image: rag", studio.AfterCriticV2, studio.State{Quality: &studio.Quality{}},
			"rag"),
		Entry("after the third rejected image: rag", studio.AfterCriticV2,
			studio.State{Quality: &studio.Quality{}, RetryCount: 2}, "rag"),
		Entry("after the fourth rejected image: genui", studio.AfterCriticV2,
			studio.State{Quality: &studio.Quality{}, RetryCount: 3},
			"genui"),
		Entry("after an error in the critic: error_handler", studio.AfterCriticV2,
			studio.State{Quality: &studio.Quality{Passed: true}, Error: studio.AnyError}, "error_handler"),
	)

	It("S5: counts each image that the critic rejects, up to the maximum", func() {
		s := studio.State{Quality: &studio.Quality{}}
		for want := range 4 {
			Expect(s.RetryCount).To(Equal(want))
			studio.AfterCriticV2(&s)
		}
		Expect(s.RetryCount).To(Equal(3))
	})
})

var _ = Describe("S1: The flow of v1", func() {
	It("runs the nodes planner, rag, executor and critic; executor and critic send the UI components", func() {
		s := newStage(studio.ProfileV1, planV1("generate_image"))
		reply := s.runText(wish)
		image := `"imageUrl":"https://picsum.photos/seed/` + seedOf(reply.GeneratedImageURL) + `/800/600"`
		end := s.duration.String() + " "
		Expect(s.story()).To(Equal([]string{
			"1s span planner deepseek#1 ok",
			"1s route planner generate_image (llm)",
			"1s planner 已识别意图：generate_image。主题：cat，风格：cyberpunk",
			"1s span rag style_library#1 ok",
			"1s rag 正在检索风格库... 找到 1 条相关风格提示词。",
			"1s executor 正在生成图片... 预计需要 2-3 秒。",
			end + "span executor placeholder#1 ok",
			end + `executor {"widgetType":"SmartCanvas","props":{` + image + `,"mode":"view"}}`,
			end + `executor {"widgetType":"ActionPanel","props":{"actions":[{"id":"regenerate_btn","label":"重新生成","type":"button"}]}}`,
			end + "review 1 by heuristic: 1.00 true",
			end + "critic 质量审查完成。评分：100/100。已通过。",
			end + "done 生成完成！质量评分：100/100。",
		}))
		Expect(reply.Predicted).To(Equal("generate_image"))
		Expect(reply.AnsweredBy).To(Equal("generate_image"))
	})

	DescribeTable("chooses the next node", func(edge func(*studio.State) string, s studio.State, want string) {
		Expect(edge(&s)).To(Equal(want))
	},
		Entry("after a plan with a style: rag", studio.AfterPlannerV1, studio.State{Styles: []string{"水彩"}}, "rag"),
		Entry("after a plan without a style: executor", studio.AfterPlannerV1, studio.State{}, "executor"),
		Entry("after an image that passes: the end", studio.AfterCriticV1,
			studio.State{Quality: &studio.Quality{Passed: true}}, ""),
		Entry("after the first rejected image: executor", studio.AfterCriticV1,
			studio.State{Quality: &studio.Quality{}}, "executor"),
		Entry("after the second rejected image: executor", studio.AfterCriticV1,
			studio.State{Quality: &studio.Quality{}, RetryCount: 1}, "executor"),
		Entry("after the third rejected image: the end", studio.AfterCriticV1,
			studio.State{Quality: &studio.Quality{}, RetryCount: 2}, ""),
	)
})

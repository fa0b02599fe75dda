package studio_test

import (
	"fmt"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/studio"
	"evalctl/agent/trace"
	"evalctl/mocks/model"
)

var _ = Describe("S2: The planner of v1", func() {
	made := []agent.Message{{Role: "user", Content: "画一只猫"},
		{Role: "assistant", Content: "好了", GeneratedImageURL: canvas}}

	It("requests JSON with temperature 0.3", func() {
		s := newStage(studio.ProfileV1, planV1("generate_image"))
		s.runText(wish)
		Expect(*s.sent(0).Temperature).To(BeNumerically("~", 0.3, 1e-6))
		Expect(s.sent(0).ResponseFormat.Type).To(Equal("json_object"))
	})

	It("has a built-in prompt with the fields and actions of v1", func() {
		p, err := studio.ShippedPrompts(studio.ProfileV1)
		Expect(err).NotTo(HaveOccurred())
		for _, word := range []string{"generate_image", "inpainting", "parameter_adjustment", `"action"`, `"subject"`,
			`"style"`, `"prompt"`,
			`"parameters"`, `"style_strength"`, `"resolution"`, "subject、style 和 prompt 都用英文",
			"逐字包含 subject 和 style", "json"} {
			Expect(p.Planner.Text).To(ContainSubstring(word))
		}
		Expect(p.Planner.Text).NotTo(Or(ContainSubstring(`"score"`), ContainSubstring("adjust_parameters")))
	})

	It("sends the last 3 turns of the conversation", func() {
		s := newStage(studio.ProfileV1, planV1("generate_image"))
		var history []agent.Message
		for i := range 5 {
			history = append(history, agent.Message{Role: "user", Content: fmt.Sprint("问", i)},
				agent.Message{Role: "assistant", Content: fmt.Sprint("答", i)})
		}
		s.runTurn(agent.Turn{Text: wish, History: history})
		var texts []any
		for _, m := range s.sent(0).Messages[1:] {
			texts = append(texts, m.Content)
		}
		Expect(texts).To(Equal([]any{"问2", "答2", "问3", "答3", "问4", "答4", wish}))
	})

	DescribeTable("replaces the model's action by the one that the inputs require",
		func(t agent.Turn, planned, action, source string) {
			s := newStage(studio.ProfileV1, planV1(planned))
			reply := s.runTurn(t)
			Expect(reply.Predicted).To(Equal(action))
			Expect(reply.DecidedBy).To(Equal(source))
		},
		Entry("a mask and an image require inpainting",
			agent.Turn{Text: "机械头盔", Mask: mask(1), Images: []string{canvas}},
			"generate_image", "inpainting", "guard"),
		Entry("a mask and an image of the conversation require inpainting",
			agent.Turn{Text: "机械头盔", Mask: mask(1), History: made},
			"generate_image", "inpainting", "guard"),
		Entry("a mask and an image require inpainting even if the text contains 调整",
			agent.Turn{Text: "调整这里", Mask: mask(1), History: made}, "parameter_adjustment",
			"inpainting", "guard"),
		Entry("an image and 调整 require a change of parameters", agent.Turn{Text: "调整亮度", History: made},
			"generate_image",
			"adjust_parameters", "guard"),
		Entry("an image and 修改 require a change of parameters", agent.Turn{Text: "修改一下颜色", Images: []string{canvas}},
			"inpainting",
			"adjust_parameters", "guard"),
		Entry("a mask and an image require inpainting, which the model already chose",
			agent.Turn{Text: "调整亮度", History: made},
			"parameter_adjustment",
			"adjust_parameters", "llm"),
		Entry("a mask without an image requires nothing", agent.Turn{Text: "机械头盔", Mask: mask(1)}, "generate_image",
			"generate_image", "llm"),
		Entry("调整 without an image requires nothing", agent.Turn{Text: "调整心情的壁纸"}, "generate_image",
			"generate_image", "llm"),
		Entry("an image alone requires nothing", agent.Turn{Text: "亮一点", History: made}, "parameter_adjustment",
			"adjust_parameters", "llm"),
	)

	DescribeTable("S8: requests a mask if the text refers to an area, for any action of the model",
		func(planned, action, source string) {
			s := newStage(studio.ProfileV1, planV1(planned))
			reply := s.runTurn(agent.Turn{Text: "修改这里", History: made})
			Expect(failure(reply)).To(Equal("MASK_REQUIRED planner"))
			Expect(reply.Predicted).To(Equal(action))
			Expect(reply.DecidedBy).To(Equal(source))
		},
		Entry(nil, "inpainting", "inpainting", "llm"), Entry(nil, "parameter_adjustment", "adjust_parameters", "llm"),
		Entry(nil, "generate_image", "generate_image", "llm"),
	)

	It("S8: generates an image if the text refers to no area", func() {
		s := newStage(studio.ProfileV1, planV1("generate_image"))
		Expect(s.runTurn(agent.Turn{Text: "这里改建成了一座图书馆", History: made}).AnsweredBy).To(Equal("generate_image"))
	})

	It("S2: accepts v2's name of the action adjust_parameters", func() {
		s := newStage(studio.ProfileV1, planV1("adjust_parameters"))
		reply := s.runTurn(agent.Turn{Text: "亮一点", History: made})
		Expect(reply.Predicted).To(Equal(studio.ActionAdjustParameters))
		Expect(reply.DecidedBy).To(Equal("llm"))
		Expect(s.eventLines(trace.KindRetry)).To(BeEmpty())
	})

	It("shows the user the action name parameter_adjustment, and returns the label adjust_parameters", func() {
		s := newStage(studio.ProfileV1, planV1("parameter_adjustment"))
		reply := s.runTurn(agent.Turn{Text: "亮一点", History: made})
		Expect(reply.Predicted).To(Equal(studio.ActionAdjustParameters))
		Expect(s.eventLines(trace.KindThoughtLog)[0]).To(HavePrefix("planner 已识别意图：parameter_adjustment。"))
	})

	DescribeTable("X3: returns the model's confidence, or 0 if there is none",
		func(field string, want float64) {
			s := newStage(studio.ProfileV1, strings.Replace(planV1("generate_image"), `,"confidence":0.9`, field, 1))
			reply := s.runText(wish)
			Expect(reply.DecidedBy).To(Equal("llm"))
			Expect(reply.Confidence).To(Equal(want))
			Expect(reply.AnsweredBy).To(Equal("generate_image"), "v1 has no threshold")
		},
		Entry(nil, `,"confidence":0.9`, 0.9), Entry(nil, `,"confidence":0.1`, 0.1),
		Entry("the confidence is absent", ``, 0.0),
		Entry("the confidence is null", `,"confidence":null`, 0.0),
		Entry("the confidence is a percentage", `,"confidence":"90%"`, 0.9),
		Entry("the confidence is a fraction without quotes", `,"Confidence":9/10`, 0.9),
	)

	DescribeTable("X3: requests the plan once more if the confidence is not a number from 0 to 1",
		func(confidence string) {
			s := newStage(studio.ProfileV1, strings.Replace(planV1("generate_image"), "0.9", confidence, 1))
			s.runText(wish)
			Expect(s.eventLines(trace.KindRetry)).To(Equal([]string{"retry planner  (wrong_schema)"}))
		},
		Entry("the confidence is above 1", `9`), Entry("the confidence is a word", `"high"`),
		Entry("the confidence is an object", `{"a":1}`),
	)

	DescribeTable("X3: requests the plan once more if the answer is invalid",
		func(first string) {
			s := newStage(studio.ProfileV1, "")
			s.plan = func(r model.Request) string { return []string{first, planV1("generate_image")}[r.CallNumber-1] }
			reply := s.runText(wish)
			Expect(reply.DecidedBy).To(Equal("llm"))
			Expect(reply.Slots["subject"]).To(Equal("cat"))
			Expect(s.eventLines(trace.KindRetry)).To(HaveLen(1))
			Expect(s.eventLines(trace.KindFallback)).To(BeEmpty())
			p, err := studio.ShippedPrompts(studio.ProfileV1)
			Expect(err).NotTo(HaveOccurred())
			Expect(s.sent(1).Messages[0].Content).
				To(Equal(fmt.Sprint(s.sent(0).Messages[0].Content, "\n", p.PlanRetry.Text)))
			Expect(s.sent(1).Messages[1].Content).To(Equal(wish))
			Expect(rawResponses(s)).To(Equal([]string{planV1("generate_image")}), "the answer that was taken")
		},
		Entry("the answer is not JSON", "好的，画猫"),
		Entry("the answer is empty", ""),
		Entry("the action is missing", `{"subject":"cat","prompt":"a cat"}`),
		Entry("the subject is missing", `{"action":"generate_image","prompt":"a cat"}`),
		Entry("the prompt is missing", `{"action":"generate_image","subject":"cat"}`),
		Entry("the prompt is blank", `{"action":"generate_image","subject":"cat","prompt":" "}`),
		Entry("the prompt is not a text", `{"action":"generate_image","subject":"cat","prompt":7}`),
	)

	DescribeTable("S2: uses the model's action even if another field has a wrong type",
		func(subject, prompt, parameters, painted string) {
			s := newStage(studio.ProfileV1,
				fmt.Sprintf(`{"action":"parameter_adjustment","subject":%s,"style":[],"prompt":%s,"parameters":%s,"confidence":"0.9"}`,
					subject, prompt, parameters))
			var job studio.ImageRequest
			s.config.ImageGenerator = imageGeneratorOf(&job)
			reply := s.runText("猫亮一点")
			Expect(reply.Predicted).To(Equal("adjust_parameters"))
			Expect(reply.DecidedBy).To(Equal("llm"))
			Expect(reply.Confidence).To(Equal(0.9))
			Expect(s.eventLines(trace.KindRetry)).To(BeEmpty())
			Expect(job.Prompt).To(Equal(painted))
			Expect(job.Parameters).To(BeEmpty())
		},
		Entry("the parameters are null", `"cat"`, `"a cat"`, `null`, "a cat"),
		Entry("the parameters are a list", `"cat"`, `"a cat"`, `[]`, "a cat"),
		Entry("the parameters are a number", `"cat"`, `"a cat"`, `3`, "a cat"),
		Entry("the subject is an object", `{"name":"cat"}`, `"a cat"`, `{}`, "a cat"),
		Entry("subject and prompt are lists", `["cat"]`, `["a cat","soft light"]`, `{}`, "a cat, soft light"),
	)

	DescribeTable("S2: uses the action of the first answer if the second one is invalid", func(second, fault string) {
		s := newStage(studio.ProfileV1, "")
		s.faults = fault
		s.plan = func(r model.Request) string {
			return []string{`{"action":"parameter_adjustment","confidence":0.8,"subject":"cat"}`,
				second}[r.CallNumber-1]
		}
		reply := s.runText("亮一点")
		Expect(reply.Predicted).To(Equal("adjust_parameters"))
		Expect(reply.DecidedBy).To(Equal("llm"))
		Expect(reply.Confidence).To(Equal(0.8))
		Expect(s.eventLines(trace.KindFallback)).To(Equal([]string{"fallback planner→own_words (no_prompt)"}))
	},
		Entry("the second answer is not JSON", "好的", ""),
		Entry("the second answer contains an unknown action", `{"action":"make_video"}`, ""),
		Entry("the second model call fails", "", "router:auth@2"),
	)

	It("S2: uses the action if the second plan is incomplete, too, with the user's text as the prompt; the trace records this", func() {
		s := newStage(studio.ProfileV1, `{"action":"parameter_adjustment","confidence":0.8}`)
		var job studio.ImageRequest
		s.config.ImageGenerator = imageGeneratorOf(&job)
		reply := s.runText("猫亮一点")
		Expect(reply.Predicted).To(Equal("adjust_parameters"))
		Expect(reply.DecidedBy).To(Equal("llm"))
		Expect(job.Prompt).To(Equal("猫亮一点"))
		Expect(s.eventLines(trace.KindRetry)).To(Equal([]string{"retry planner  (wrong_schema)"}))
		Expect(s.eventLines(trace.KindFallback)).To(Equal([]string{"fallback planner→own_words (no_prompt)"}))
	})

	It("generates an image from the user's text if both answers are invalid", func() {
		s := newStage(studio.ProfileV1, "好的，画猫")
		var job studio.ImageRequest
		s.config.ImageGenerator = imageGeneratorOf(&job)
		reply := s.runText(wish)
		Expect(reply.Predicted).To(Equal("generate_image"))
		Expect(reply.DecidedBy).To(Equal("rules"))
		Expect(reply.Slots).To(BeNil())
		Expect(job.Prompt).To(Equal(wish+", neon-lit night city"), "whose style is looked up")
		Expect(s.server.Calls("router")).To(Equal(2))
		Expect(s.eventLines(trace.KindRetry)).To(Equal([]string{"retry planner  (malformed_json)"}))
		Expect(s.eventLines(trace.KindFallback)).To(Equal([]string{"fallback planner→default (malformed_json)"}))
	})

	It("generates an image from the user's text if the first answer is invalid and the second call fails", func() {
		s := newStage(studio.ProfileV1, "好的，画猫")
		s.faults = "router:auth@2"
		Expect(s.runText(wish).Predicted).To(Equal("generate_image"))
		Expect(s.eventLines(trace.KindFallback)).To(Equal([]string{"fallback planner→default (auth)"}))
	})

	It("requests the plan once more if the answer is empty or cut off, and uses the second answer", func() {
		for _, first := range []string{"", `{"action":"inpaint` + cutMark} {
			s := newStage(studio.ProfileV1, "")
			s.plan = func(r model.Request) string {
				if r.CallNumber == 1 {
					return first
				}
				return planV1("inpainting")
			}
			reply := s.runText(wish)
			Expect(reply.Predicted).To(Equal("inpainting"))
			Expect(reply.DecidedBy).To(Equal("llm"))
		}
	})

	It("returns an error if both answers are empty or cut off", func() {
		s := newStage(studio.ProfileV1, "好的，画"+cutMark)
		reply := s.runText(wish)
		Expect(failure(reply)).To(Equal("PLANNER_FAILED planner truncated"))
		Expect(reply.HasDecision()).To(BeFalse())
	})

	DescribeTable("returns an error if its model calls fail",
		func(fault, reason string, calls int, duration time.Duration) {
			s := newStage(studio.ProfileV1, planV1("generate_image"))
			s.faults = fault
			reply := s.runText(wish)
			Expect(failure(reply)).To(Equal("PLANNER_FAILED planner " + reason))
			Expect(reply.Predicted).To(BeEmpty())
			Expect(s.stream()).To(Equal("error:planner gen_ui_component:planner "))
			Expect(s.eventLines(trace.KindFallback)).To(Equal([]string{"fallback planner→end (" + reason + ")"}))
			Expect(s.server.Calls("router")).To(Equal(calls))
			if duration > 0 {
				Expect(s.duration).To(Equal(duration))
			}
		},
		Entry("server errors, after 2 retries", "router:server_error", "server_error", 3, time.Duration(0)),
		Entry("S9: no answer, after exactly 10 s", "router:timeout", "timeout", 1, 10*time.Second),
		Entry("two empty answers", "router:empty_content", "empty_content", 2, time.Duration(0)),
		Entry("an empty answer and a failed call", "router:empty_content@1+router:auth@2", "auth",
			2, time.Duration(0)),
	)
})

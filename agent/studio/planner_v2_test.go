package studio_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/studio"
	"evalctl/agent/trace"
)

var _ = Describe("S2: The planner of v2", func() {
	It("requests JSON with temperature 0.3 and without reasoning", func() {
		s := newStage(studio.ProfileV2, planV2("generate_image", 0.9))
		s.runText(wish)
		r := s.sent(0)
		Expect(*r.Temperature).To(BeNumerically("~", 0.3, 1e-6))
		Expect(r.ResponseFormat.Type).To(Equal("json_object"))
		Expect(r.Thinking.Type).To(Equal("disabled"), "X9")
		Expect(r.Messages).To(HaveLen(2))
		Expect(r.Messages[0].Role).To(Equal("system"))
		Expect(r.Messages[1]).To(Equal(sentMessage{"user", wish}))
	})

	It("has a built-in prompt with the five fields and the four actions", func() {
		p, err := studio.ShippedPrompts(studio.ProfileV2)
		Expect(err).NotTo(HaveOccurred())
		for _, word := range append(studio.Actions(), `"action"`, `"subject"`, `"style"`, `"confidence"`,
			`"reasoning"`, "json") {
			Expect(p.Planner.Text).To(ContainSubstring(word))
		}
		Expect(p.Planner.Text).NotTo(ContainSubstring(`"score"`), "that is how mocks know a critic")
	})

	It("mentions a mask and an image in its prompt only if the turn has them", func() {
		s := newStage(studio.ProfileV2, planV2("inpainting", 0.9))
		s.runText(wish)
		Expect(s.sent(0).Messages[0].Content).NotTo(Or(ContainSubstring("带有蒙版"), ContainSubstring("画布上已经有")))
		s.bodies = nil
		s.runTurn(agent.Turn{Text: "换成机械头盔", Mask: mask(1), Images: []string{canvas}})
		Expect(s.sent(0).Messages[0].Content).To(And(ContainSubstring("带有蒙版"), ContainSubstring("画布上已经有")))
	})

	It("sends the last 5 messages of the conversation", func() {
		s := newStage(studio.ProfileV2, planV2("generate_image", 0.9))
		var history []agent.Message
		for i := range 8 {
			history = append(history,
				agent.Message{Role: []string{"user", "assistant"}[i%2], Content: fmt.Sprint("第", i)})
		}
		s.runTurn(agent.Turn{Text: wish, History: history})
		var texts []any
		for _, m := range s.sent(0).Messages[1:] {
			texts = append(texts, m.Content)
		}
		Expect(texts).To(Equal([]any{"第3", "第4", "第5", "第6", "第7", wish}))
	})

	DescribeTable("sends the URL of the last image first if the user refers to it",
		func(text string, shown bool) {
			s := newStage(studio.ProfileV2, planV2("adjust_parameters", 0.9))
			s.runTurn(agent.Turn{Text: text, History: []agent.Message{
				{Role: "user", Content: "画一只猫"},
				{Role: "assistant", Content: "好了", GeneratedImageURL: "https://a.example/old.png"},
				{Role: "user", Content: "画一只狗"},
				{Role: "assistant", Content: "好了", GeneratedImageURL: "https://a.example/new.png"},
			}})
			messages := s.sent(0).Messages
			if !shown {
				Expect(messages).To(HaveLen(6))
				return
			}
			Expect(messages).To(HaveLen(7))
			Expect(messages[1]).To(Equal(sentMessage{"assistant", "上一次生成的结果：https://a.example/new.png"}))
			Expect(messages[2].Content).To(Equal("画一只猫"))
		},
		Entry(nil, "再亮一点", true), Entry(nil, "调整一下色调", true), Entry(nil, "亮一点", false),
	)

	It("sends no URL of a last image if no image was generated", func() {
		s := newStage(studio.ProfileV2, planV2("adjust_parameters", 0.9))
		s.runTurn(agent.Turn{Text: "再亮一点",
			History: []agent.Message{{Role: "user", Content: "你好"}, {Role: "assistant", Content: "你好"}}})
		Expect(s.sent(0).Messages).To(HaveLen(4))
	})

	DescribeTable("returns a plan for each action",
		func(action string, task studio.ImageTask) {
			s := newStage(studio.ProfileV2, planV2(action, 0.8))
			var job studio.ImageRequest
			s.config.ImageGenerator = imageGeneratorOf(&job)
			t := agent.Turn{Text: wish, Images: []string{"https://a.example/1.png", canvas}}
			if action == studio.ActionInpainting {
				t.Mask = mask(1)
			}
			reply := s.runTurn(t)
			Expect(reply.Predicted).To(Equal(action))
			Expect(reply.AnsweredBy).To(Equal(action))
			Expect(job.Task).To(Equal(task))
			if task == studio.TaskTextToImage {
				Expect(job.BaseImage).To(BeEmpty())
			} else {
				Expect(job.BaseImage).To(Equal(canvas), "the last picture of the turn is on the canvas")
			}
		},
		Entry(nil, "generate_image", studio.TaskTextToImage),
		Entry(nil, "inpainting", studio.TaskInpainting),
		Entry(nil, "adjust_parameters", studio.TaskParameterAdjustment),
	)

	DescribeTable("chooses inpainting if the turn has a mask",
		func(answer string, confidence float64, source, why string, said *agent.ModelDecision) {
			s := newStage(studio.ProfileV2, answer)
			reply := s.runTurn(agent.Turn{Text: "换成机械头盔", Mask: mask(1), Images: []string{canvas}})
			Expect(reply.ModelDecision).To(Equal(said))
			Expect(reply.Predicted).To(Equal("inpainting"))
			Expect(reply.Confidence).To(Equal(confidence))
			Expect(reply.DecidedBy).To(Equal(source))
			Expect(s.eventLines(trace.KindRoute)).To(Equal([]string{"route planner inpainting (" + why + ")"}))
		},
		Entry("the model chose another action", planV2("generate_image", 0.3), 0.9, "guard", "input_rules",
			&agent.ModelDecision{Label: "generate_image", Confidence: new(0.3), DecisionIfAccepted: "inpainting"}),
		Entry("the model chose unknown", planV2("unknown", 0.1), 0.9, "guard", "input_rules",
			&agent.ModelDecision{Label: "unknown", Confidence: new(0.1), DecisionIfAccepted: "inpainting"}),
		Entry("the model's answer is invalid", "嗯？", 0.9, "guard", "input_rules", nil),
		Entry("the model also chose inpainting", planV2("inpainting", 0.8), 0.8, "llm", "llm",
			&agent.ModelDecision{Label: "inpainting", Confidence: new(0.8)}),
		Entry("the model also chose inpainting, with a higher confidence", planV2("inpainting", 0.95),
			0.95, "llm", "llm",
			&agent.ModelDecision{Label: "inpainting", Confidence: new(0.95)}),
		Entry("a keyword in an invalid answer also suggests inpainting", "应当局部重绘", 0.6, "rules", "malformed_json", nil),
	)

	It("returns an error at a low confidence, even if the turn has a mask and the model chose inpainting", func() {
		s := newStage(studio.ProfileV2, planV2("inpainting", 0.4))
		reply := s.runTurn(agent.Turn{Text: "换成机械头盔", Mask: mask(1), Images: []string{canvas}})
		Expect(reply.Predicted).To(Equal("inpainting"))
		Expect(failure(reply)).To(Equal("NOT_UNDERSTOOD planner"))
	})

	DescribeTable("continues only with an action and a confidence above 0.5",
		func(action string, confidence float64, on bool) {
			s := newStage(studio.ProfileV2, planV2(action, confidence))
			reply := s.runText("随便")
			Expect(reply.Predicted).To(Equal(action), "X10: the decision stands")
			Expect(reply.DecidedBy).To(Equal("llm"))
			if on {
				Expect(reply.AnsweredBy).To(Equal(action))
				return
			}
			Expect(failure(reply)).To(Equal("NOT_UNDERSTOOD planner"))
			Expect(s.attempts).To(BeZero())
			Expect(s.eventLines(trace.KindFallback)).To(BeEmpty(), "nothing failed")
		},
		Entry(nil, "generate_image", 0.51, true), Entry(nil, "generate_image", 0.5, false),
		Entry(nil, "adjust_parameters", 0.0, false), Entry(nil, "unknown", 1.0, false),
		Entry(nil, "adjust_parameters", 0.3, false),
	)

	DescribeTable("S8: requests a mask for an image before it checks the confidence",
		func(action string, confidence float64, text string) {
			s := newStage(studio.ProfileV2, planV2(action, confidence))
			reply := s.runTurn(agent.Turn{Text: text, Images: []string{canvas}})
			Expect(failure(reply)).To(Equal("MASK_REQUIRED planner"))
			Expect(reply.Predicted).To(Equal(action))
			Expect(s.stream()).To(Equal("thought_log:planner error:error_handler gen_ui_component:error_handler "))
		},
		Entry("the action is inpainting", "inpainting", 0.1, "随便"),
		Entry("the action is inpainting with a confidence of 0", "inpainting", 0.0, "修改这里"),
		Entry("the text refers to an area and the action is unknown", "unknown", 0.9, "修改这里"),
		Entry("the text refers to an area and the confidence is low", "adjust_parameters", 0.4, "把这块换成红的"),
		Entry(nil, "generate_image", 0.5, "Change this part please"),
		Entry("the text refers to an area and another action has a high confidence", "adjust_parameters",
			0.95, "把这块换成红的"),
		Entry(nil, "generate_image", 0.95, "Change this part please"),
	)

	DescribeTable("S8: requests no mask if the text refers to no area",
		func(action string, confidence float64, text, code string) {
			s := newStage(studio.ProfileV2, planV2(action, confidence))
			reply := s.runText(text)
			if code == "" {
				Expect(reply.ErrorReply).To(BeNil())
				return
			}
			Expect(failure(reply)).To(Equal(code + " planner"))
		},
		Entry(nil, "generate_image", 0.9, "这里改建成了一座图书馆", ""), Entry(nil, "unknown", 0.9, "这里是哪里", "NOT_UNDERSTOOD"),
		Entry(nil, "unknown", 0.9, "修改密码，谢谢你在这里", "NOT_UNDERSTOOD"),
		Entry(nil, "unknown", 0.9, "I live here", "NOT_UNDERSTOOD"),
	)

	DescribeTable("records the model's raw answer with the decision",
		func(answer, raw string) {
			s := newStage(studio.ProfileV2, answer)
			s.inSimulation(func(_ context.Context, respond func(agent.Turn) agent.Reply) {
				for range 2 { // a valid plan is cached, so the second turn uses the same answer
					respond(agent.Turn{Text: wish})
					Expect(rawResponses(s)).To(Equal([]string{raw}))
				}
			})
		},
		Entry("a plan", planV2("generate_image", 0.9), planV2("generate_image", 0.9)),
		Entry("a plan in a code fence after a sentence", "好：```json\n"+planV2("generate_image", 0.9)+"```",
			"好：```json\n"+planV2("generate_image", 0.9)+"```"),
		Entry("an answer without a plan", "应当生成一张新图", "应当生成一张新图"),
		Entry("the beginning of a very long answer", "生成"+strings.Repeat("x", 30_000),
			"生成"+strings.Repeat("x", trace.MaxRawAnswer-len("生成"))),
	)

	It("records no answer if no model was called", func() {
		s := newStage(studio.ProfileV2, planV2("generate_image", 0.9))
		s.runText("😂")
		Expect(rawResponses(s)).To(Equal([]string{""}))
	})

	DescribeTable("X3: finds the action of an invalid answer by keywords, with confidence 0.6",
		func(answer, action, reason string) {
			s := newStage(studio.ProfileV2, answer)
			reply := s.runText(wish)
			Expect(reply.Predicted).To(Equal(action))
			Expect(reply.DecidedBy).To(Equal("rules"))
			Expect(reply.Slots).To(BeNil())
			Expect(s.eventLines(trace.KindFallback)).To(Equal([]string{"fallback planner→keywords (" + reason + ")"}))
			if action == studio.ActionUnknown {
				Expect(reply.Confidence).To(BeZero())
				Expect(failure(reply)).To(Equal("NOT_UNDERSTOOD planner"))
				return
			}
			Expect(reply.Confidence).To(Equal(0.6))
			Expect(reply.AnsweredBy).To(Equal(action))
		},
		Entry("the answer is a sentence", "用户想生成一张新的图片", "generate_image", "malformed_json"),
		Entry("the confidence is missing", `{"action":"adjust_parameters","subject":"","style":""}`,
			"adjust_parameters",
			"wrong_schema"),
		Entry("the confidence is above 1", `{"action":"generate_image","confidence":1.2}`, "generate_image",
			"wrong_schema"),
		Entry("the confidence is NaN", `{"action":"generate_image","confidence":NaN}`, "generate_image",
			"wrong_schema"),
		Entry("the confidence is a word", `{"action":"generate_image","confidence":"high"}`, "generate_image",
			"wrong_schema"),
		Entry("the confidence is null", `{"action":"generate_image","confidence":null}`, "generate_image",
			"wrong_schema"),
		Entry("the action is not one of the four actions", `{"action":"make_video","confidence":0.9}`,
			"unknown", "unknown_label"),
		Entry("the answer ends within the confidence", `{"action":"generate_image","confidence":0.`, "generate_image",
			"wrong_schema"),
		Entry("the answer contains no keyword", `我不确定。`, "unknown", "malformed_json"),
		Entry("15.14: the action is complete but the braces are missing", `"action":"adjust_parameters","conf`,
			"adjust_parameters",
			"malformed_json"),
		Entry("15.14: the action is in doubled quotes", "Here is the JSON:\n"+`""action"":""adjust_parameters"",""sub`,
			"adjust_parameters", "malformed_json"),
		Entry("15.14: the action has no quotes", "```json\naction: adjust_parameters, subject: 猫", "adjust_parameters",
			"malformed_json"),
		Entry("15.14: the action is the end of the answer", `action: generate_image`, "generate_image",
			"malformed_json"),
		Entry("15.14: the action generate_image is cut off", `{"action":"generate_im`, "unknown", "malformed_json"),
		Entry("15.14: the action inpainting is cut off", "```json\n"+`{"action":"inpaint`, "unknown", "malformed_json"),
		Entry("15.14: an action without quotes is cut off", `action: adjust`, "unknown", "malformed_json"),
		Entry("15.14: a keyword is the end of the answer", `I would adjust`, "adjust_parameters", "malformed_json"),
		Entry("the action is a whole sentence", `{"action": I am not sure which one fits, {"maybe": [`,
			"unknown", "unknown_label"),
	)

	DescribeTable("S2: uses the model's action even if another field has a wrong type",
		func(fields, subject, style string) {
			s := newStage(studio.ProfileV2, `{"action":"generate_image",`+fields+`}`)
			reply := s.runText(wish)
			Expect(reply.DecidedBy).To(Equal("llm"))
			Expect(reply.Confidence).To(Equal(0.9))
			Expect(reply.Slots).To(Equal(map[string]string{"subject": subject, "style": style}))
			Expect(s.eventLines(trace.KindFallback)).To(BeEmpty())
		},
		Entry("the answer contains fields of v1", `"confidence":0.9,"subject":"猫","parameters":[],"prompt":{"x":1}`,
			"猫", ""),
		Entry("subject and style are not texts", `"confidence":0.9,"subject":{"name":"猫"},"style":7`, "", ""),
		Entry("subject and style are lists", `"confidence":0.9,"subject":["猫","狗"],"style":["赛博朋克",3,"水彩",""]`,
			"猫、狗", "赛博朋克、水彩"),
		Entry("the confidence is a percentage", `"confidence":"90％","subject":"猫"`, "猫", ""),
		Entry("the confidence is a fraction", `"Confidence":9/10,"Subject":"猫"`, "猫", ""),
		Entry("the confidence is in quotes, and other fields have wrong types",
			`"confidence":" 0.9","subject":false,"reasoning":{}`, "", ""),
	)

	It("X3: uses the last of several complete plans, after reasoning and code fences", func() {
		s := newStage(studio.ProfileV2, "<think>"+planV2("unknown", 1)+"</think>先是 "+planV2("unknown", 1)+
			" 不对：\n```json\n"+strings.Replace(planV2("generate_image", 0.8), "}", ",}", 1)+"\n```")
		reply := s.runText(wish)
		Expect(reply.DecidedBy).To(Equal("llm"))
		Expect(reply.Predicted).To(Equal("generate_image"))
	})

	It("accepts a plan without subject and style", func() {
		s := newStage(studio.ProfileV2, `{"action":"generate_image","style":null,"confidence":0.9}`)
		Expect(s.runText(wish).Slots).To(Equal(map[string]string{"subject": "", "style": ""}))
	})

	DescribeTable("returns an error if its model call fails, with the action unknown and no decision source",
		func(fault, reason string, duration time.Duration, calls int) {
			s := newStage(studio.ProfileV2, planV2("generate_image", 0.9))
			s.faults = fault
			reply := s.runText(wish)
			Expect(failure(reply)).To(Equal("PLANNER_FAILED planner " + reason))
			Expect(reply.Predicted).To(Equal("unknown"))
			Expect(reply.DecidedBy).To(BeEmpty())
			Expect(reply.HasDecision()).To(BeFalse())
			Expect(s.eventLines(trace.KindFallback)).
				To(Equal([]string{"fallback planner→error_handler (" + reason + ")"}))
			Expect(s.stream()).To(Equal("error:error_handler gen_ui_component:error_handler "))
			Expect(s.server.Calls("router")).To(Equal(calls))
			if duration > 0 {
				Expect(s.duration).To(Equal(duration))
			}
		},
		Entry("S9: no answer, after exactly 10 s", "router:timeout", "timeout", 10*time.Second, 1),
		Entry(nil, "router:auth", "auth", time.Duration(0), 1),
		Entry(nil, "router:no_balance", "no_balance", time.Duration(0), 1),
		Entry("X2: server errors, after 2 retries", "router:server_error", "server_error", time.Duration(0), 3),
		Entry(nil, "router:reset", "reset", time.Duration(0), 3),
		Entry("an empty answer", "router:empty_content", "empty_content", time.Duration(0), 1),
	)

	DescribeTable("15.14: uses the action of an answer that is cut off, with confidence 0.6, if the action is complete",
		func(answer, action string, confidence float64, slots map[string]string) {
			s := newStage(studio.ProfileV2, answer+cutMark)
			reply := s.runText(wish)
			Expect(reply.Predicted).To(Equal(action))
			Expect(reply.Confidence).To(Equal(confidence))
			Expect(reply.DecidedBy).To(Equal("rules"))
			Expect(reply.Slots).To(Equal(slots))
			Expect(reply.ModelDecision).To(BeNil())
			Expect(s.eventLines(trace.KindFallback)).To(Equal([]string{"fallback planner→cut_answer (truncated)"}))
			Expect(rawResponses(s)).To(Equal([]string{answer}))
			if confidence == 0 {
				Expect(failure(reply)).To(Equal("NOT_UNDERSTOOD planner"))
			} else {
				Expect(reply.AnsweredBy).To(Equal(action))
			}
		},
		Entry("the answer is cut off after the action", `{"action":"generate_image"`, "generate_image", 0.6,
			map[string]string{"subject": "", "style": ""}),
		Entry("the answer is cut off after the subject", `{"action":"adjust_parameters","subject":"猫","style":"水`,
			"adjust_parameters", 0.6,
			map[string]string{"subject": "猫", "style": ""}),
		Entry("the answer is cut off within the confidence", `{"action":"generate_image","confidence":0.`,
			"generate_image", 0.6,
			map[string]string{"subject": "", "style": ""}),
		Entry("the complete action is unknown", `{"action":"unknown","conf`, "unknown", 0.0,
			map[string]string{"subject": "", "style": ""}),
	)

	It("15.14: uses the confidence of an answer that is cut off, if the confidence is complete", func() {
		s := newStage(studio.ProfileV2, `{"action":"generate_image","confidence":0.8,"sub`+cutMark)
		reply := s.runText(wish)
		Expect(reply.DecidedBy).To(Equal("llm"))
		Expect(reply.Confidence).To(Equal(0.8))
	})

	DescribeTable("15.14: returns an error if the answer is cut off before the action is complete",
		func(answer string) {
			s := newStage(studio.ProfileV2, answer+cutMark)
			reply := s.runText(wish)
			Expect(failure(reply)).To(Equal("PLANNER_FAILED planner truncated"))
			Expect(reply.HasDecision()).To(BeFalse())
		},
		Entry("the answer is cut off within the action", `{"action":"generate_im`),
		Entry("the answer is cut off before the closing quote of the action", `{"action":"generate_image`),
		Entry("the answer is cut off before the action", `{"subject":"猫","act`),
		Entry("the answer is a sentence", `用户想生成一张图`),
	)

	DescribeTable("X4: records the raw answer of a model if it contains no plan",
		func(profile studio.Profile, answer, fault string, count int) {
			s := newStage(profile, answer)
			s.faults = fault
			Expect(failure(s.runText(wish))).To(HavePrefix("PLANNER_FAILED planner "))
			var kept []string
			for _, e := range s.events {
				if e.Kind == trace.KindNoDecision {
					kept = append(kept, e.RawAnswer())
				}
			}
			Expect(kept).To(HaveLen(count))
			Expect(kept).NotTo(ContainElement(""))
		},
		Entry("the answer in v2 is cut off", studio.ProfileV2, `{"action":"gen`+cutMark, "", 1),
		Entry("the call returns no answer, so nothing is recorded", studio.ProfileV2, "", "router:auth", 0),
		Entry("both answers in v1 are recorded", studio.ProfileV1, "好的，画"+cutMark, "", 2),
	)

	It("returns an error if its model call fails, even if the turn has a mask", func() {
		s := newStage(studio.ProfileV2, planV2("inpainting", 0.9))
		s.faults = "router:auth"
		Expect(failure(s.runTurn(agent.Turn{Text: "换成机械头盔", Mask: mask(1)}))).To(Equal("PLANNER_FAILED planner auth"))
	})

	It("returns a plan if a retry succeeds", func() {
		s := newStage(studio.ProfileV2, planV2("generate_image", 0.9))
		s.faults = "router:server_error@1"
		Expect(s.runText(wish).AnsweredBy).To(Equal("generate_image"))
		Expect(s.eventLines(trace.KindRetry)).To(Equal([]string{"retry planner  (server_error)"}))
	})
})

// rawResponses returns the raw answers that were recorded with the decisions of a turn; "" for a
// decision without an answer.
func rawResponses(s *stage) (list []string) {
	GinkgoHelper()
	for _, e := range s.events {
		if e.Kind != trace.KindRoute {
			continue
		}
		var data struct{ RawResponse string }
		if e.Data != nil {
			Expect(json.Unmarshal(e.Data, &data)).To(Succeed())
		}
		list = append(list, data.RawResponse)
	}
	return list
}

// imageGeneratorOf returns an image generator that answers immediately and stores the last request.
func imageGeneratorOf(job *studio.ImageRequest) studio.ImageGenerator {
	return imageGenerator(func(_ context.Context, j studio.ImageRequest) (studio.Image, error) {
		*job = j
		return studio.Image{URL: "https://a.example/made.png"}, nil
	})
}

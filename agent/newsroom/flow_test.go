package newsroom_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/llm"
	"evalctl/agent/newsroom"
	"evalctl/agent/trace"
	"evalctl/mocks/model"
)

var whole = []string{"brief_compiler_agent", "research_evidence_agent", "layout_planner_agent", "image_planner_agent",
	"writer_agent", "image_agent", "review_agent", "END"}

var _ = Describe("the newsroom, while it works on a request,", func() {
	It("N1: alternates between the supervisor and the agents until the review approves the post", func() {
		s := newStage(followPath(whole...))
		r := s.runText(sampleRequest)
		Expect(path(r)).To(Equal([]string{"brief_compiler", "research_evidence", "layout_planner", "image_planner",
			"writer", "image", "review", "END"}))
		Expect(r.Steps[7]).To(Equal(agent.Step{Executed: "END", DecidedBy: "review"}))
		Expect([]string{r.Predicted, r.AnsweredBy, r.DecidedBy}).
			To(Equal([]string{"brief_compiler_agent", "END", "llm"}))
		Expect(*r.ModelDecision).To(Equal(agent.ModelDecision{Label: "brief_compiler_agent"}))
		Expect(r.ErrorReply).To(BeNil())
		Expect(r.Content).To(MatchRegexp(
			`^# .+\n\n.+留有余地。\n\n#笔记\n\n!\[开头\]\(https://picsum.photos/seed/\d+/768/1024#p1\)\n\n!\[收尾\]\(https://\S+#p2\)$`))
		Expect(s.requests["router"]).To(HaveLen(7), "the review ends it")
		Expect(s.eventLines(trace.KindFormCheck)).
			To(HaveLen(14-1), "all but the pictures, of which nobody had to say anything")
		Expect(s.eventLines(trace.KindReview)).To(HaveLen(1))
	})

	It("N1: passes the supervisor's instructions to the agent that it chose", func() {
		s := newStage(followPath(whole...))
		s.runText(sampleRequest)
		Expect(s.requests["brief"][0].Text).
			To(And(ContainSubstring("用户的要求："+sampleRequest), ContainSubstring("主编的要求：写具体些"),
				ContainSubstring("前面的进展：刚开始"), ContainSubstring("重点：帐篷、保暖")))
	})

	DescribeTable("N1, N4: ends at the limit of decisions if the supervisor never makes a valid one; the steps contain the reason",
		func(answer, step, predicted string) {
			s := newStage(script(answer))
			s.values["max-iterations"] = "6"
			r := s.runText(sampleRequest)
			Expect(r.AnsweredBy).To(Equal("exhausted"))
			Expect(s.requests["router"]).To(HaveLen(6))
			Expect(r.Steps).To(HaveLen(7))
			Expect(stepsOf(r)[:6]).To(HaveEach(step))
			Expect(stepsOf(r)[6]).To(Equal("→END by max_iterations (max_iterations)"))
			Expect(r.Predicted).To(Equal(predicted))
			Expect(r.Content).To(And(ContainSubstring("6 轮"), ContainSubstring("正文")))
			Expect(r.ErrorReply).NotTo(BeNil())
			Expect(s.eventLines(trace.KindCriticLoop)).To(Equal([]string{"supervisor supervisor→END exhausted"}))
		},
		Entry("an answer that is not JSON", "我想想……", "→ by llm (malformed_json)", "invalid"),
		Entry("an empty answer", "", "→ by llm (empty_content)", ""),
		Entry("JSON without the field next_agent", `{"mood":"good"}`, "→ by llm (wrong_schema)", "invalid"),
		Entry("a blank agent name", `{"next_agent":" "}`, "→ by llm (no_decision)", "invalid"),
		Entry("null as the agent name", `{"next_agent":null}`, "→ by llm (wrong_schema)", "invalid"),
		Entry("the name of an unknown agent", say("poet_agent"), "poet_agent→ by llm (unknown_agent)", "invalid"),
		Entry("a decision to end too early", say("END"), "END→ by precondition (end_rejected)", "END"),
	)

	DescribeTable("31.4: ends if the calls of the supervisor fail, and names the provider's failure",
		func(fault string, calls int, reason, failure string) {
			s := newStage(script("END"))
			s.faults = fault
			turn := agent.Turn{Session: "s1", Text: sampleRequest}
			r := s.runTurns(turn)[0]
			Expect(r.AnsweredBy).To(Equal("exhausted"))
			spans := 0
			for _, e := range s.events {
				if e.Kind == trace.KindSpan && e.Node == "supervisor" {
					spans++
				}
			}
			Expect(spans).To(Equal(calls))
			Expect(stepsOf(r)[len(r.Steps)-1]).To(Equal("→END by max_iterations (" + reason + ")"))
			Expect(r.Predicted).To(BeEmpty())
			Expect(r.HasDecision()).To(BeFalse())
			Expect(*r.ErrorReply).To(
				Equal(agent.ErrorReply{Code: "SUPERVISOR_FAILED", Node: "supervisor", Cause: reason,
					Message: "安排工作的模型调用失败，已经停止：openai " + failure + "。做完的部分已经保存，问题解决后说“继续”就会接着做。"}))
			Expect(s.duration).To(BeNumerically("<=", 35*time.Second))
		},
		Entry("if it hangs", "router:timeout", 2, "timeout", "没有及时回应"),
		Entry("with status 500, after all retries of two calls", "router:server_error", 6, "server_error",
			"服务器出错 (HTTP 500)"),
		Entry("with status 401, at once", "router:auth", 1, "auth", "不接受 API key，或者没有权限 (HTTP 401)"),
	)

	It("31.4: continues if failed calls of the supervisor are not consecutive", func() {
		s := newStage(followPath("brief_compiler_agent", "writer_agent", "review_agent", "END"))
		s.faults = "router:timeout@1+router:timeout@3"
		Expect(s.runText(sampleRequest).AnsweredBy).To(Equal("END"))
	})

	It("31.4: shows a draft if the supervisor fails after it was written, in the user's language", func() {
		const failure = "The work has stopped because the model that plans it failed: " +
			"openai rejected the API key or its permissions (HTTP 401)."
		s := newStage(script("brief_compiler_agent", "writer_agent"))
		s.faults = "router:auth@3"
		r := s.runText("write a post about tea")
		Expect(r.ErrorReply).To(BeNil())
		Expect(r.Content).To(MatchRegexp(`^` + regexp.QuoteMeta(failure) +
			` This version has not passed the review.\n\n# `))

		s.faults = "router:auth"
		r = s.runTurns(turnWithState("make it shorter", `{`+text+`}`))[0]
		Expect(r.ErrorReply.Message).To(Equal(failure))
	})

	It("N4: ends as exhausted if the supervisor loops, and returns the post that was not approved", func() {
		s := newStage(script("brief_compiler_agent", "writer_agent"))
		r := s.runText(sampleRequest)
		Expect(s.requests["router"]).To(HaveLen(15))
		Expect(r.AnsweredBy).To(Equal("exhausted"))
		Expect(r.Content).To(And(HavePrefix("说明：已经用完了全部 15 轮"), ContainSubstring("留有余地")))
		Expect(r.ErrorReply).To(BeNil())
	})

	It("N4: calls the supervisor once if the turn begins at the limit of decisions", func() {
		s := newStage(script("END"))
		r := s.runTurns(turnWithState(sampleRequest, `{"iterationCount":15}`))[0]
		Expect(stepsOf(r)).To(Equal([]string{"END→END by max_iterations (max_iterations)"}))
		Expect([]string{r.Predicted, r.AnsweredBy}).To(Equal([]string{"END", "exhausted"}))
	})

	It("N2: contains each correction of a decision in its steps and events, with the reason", func() {
		s := newStage(script("review_agent", "image_agent", "writer_agent", "review_agent"))
		r := s.runText(sampleRequest)
		Expect(stepsOf(r)).To(Equal([]string{"review_agent→brief_compiler_agent by precondition (needs_content)",
			"image_agent→image_planner_agent by precondition (needs_image_plans)", "writer_agent→writer_agent by llm",
			"review_agent→review_agent by llm", "→END by review"}))
		Expect(s.eventLines(trace.KindCorrection)).To(Equal([]string{"route review_agent→writer_agent needs_content",
			"route writer_agent→brief_compiler_agent needs_brief",
			"route image_agent→image_planner_agent needs_image_plans"}))
		Expect([]string{r.Predicted, r.DecidedBy}).To(Equal([]string{"review_agent", "precondition"}))
		Expect(s.requests["router"][1].Text).To(ContainSubstring("review_agent → brief_compiler_agent（needs_content"))
	})

	It("N1: informs the supervisor why its last decision was not followed", func() {
		s := newStage(script("END", "poet_agent", "??", "brief_compiler_agent", "writer_agent", "review_agent"))
		s.runText(sampleRequest)
		Expect(s.requests["router"]).To(HaveLen(6))
		for i, why := range map[int]string{1: "END → supervisor（end_rejected：",
			2: "poet_agent → supervisor（unknown_agent：", 3: "（没有决策） → supervisor（malformed_json："} {
			Expect(s.requests["router"][i].Text).To(ContainSubstring("- not_taken: " + why))
		}
		for _, i := range []int{0, 4, 5} {
			Expect(s.requests["router"][i].Text).NotTo(ContainSubstring("not_taken"))
		}
	})

	It("N5: suggests an agent to the supervisor after a low score, and accepts another one", func() {
		s := newStage(script("brief_compiler_agent", "writer_agent", "review_agent", "layout_planner_agent",
			"writer_agent", "review_agent"))
		s.expectation = `{"simulated_reviews":[{"infoDensity":0.4,"readability":0.6},{}]}`
		r := s.runText(sampleRequest)
		Expect(path(r)).To(Equal([]string{"brief_compiler", "writer", "review", "layout_planner",
			"writer", "review", "END"}))
		Expect(s.requests["router"][3].Text).
			To(And(ContainSubstring("- review: rejected"), ContainSubstring("infoDensity=0.40"),
				ContainSubstring("- backtrack: research_evidence_agent"), ContainSubstring("- may_end: no")))
		Expect(s.requests["writer"][1].Text).To(ContainSubstring("## reviewFeedback"))
	})

	DescribeTable("N6: continues if an agent or its tool fails", func(faults string, failed string, served string) {
		s := newStage(followPath(whole...))
		s.faults = faults
		r := s.runText(sampleRequest)
		Expect(r.AnsweredBy).To(Equal(served))
		if failed != "" {
			Expect(s.eventLines(trace.KindFallback)).To(ContainElement(failed))
		}
	},
		Entry(nil, "research:server_error", "research_evidence_agent research_evidence_agent→supervisor server_error",
			"END"),
		Entry(nil, "research:timeout", "research_evidence_agent research_evidence_agent→supervisor timeout", "END"),
		Entry(nil, "layout:empty_content", "layout_planner_agent layout_planner_agent→supervisor empty_content", "END"),
		Entry(nil, "image_plan:malformed_json", "", "END"),
		Entry(nil, "search:server_error", "search search→research_evidence_agent server_error", "END"),
		Entry(nil, "image:server_error", "image_agent image_agent→supervisor server_error", "END"),
		Entry(nil, "image_agent:reset", "image_agent image_agent→supervisor reset", "END"),
		Entry(nil, "writer:server_error@1", "", "END"),
		Entry(nil, "writer:server_error", "writer_agent writer_agent→supervisor server_error", "exhausted"),
		Entry(nil, "brief:server_error", "brief_compiler_agent brief_compiler_agent→supervisor server_error",
			"exhausted"),
		Entry(nil, "review:server_error", "review_agent review_agent→supervisor server_error", "exhausted"),
		Entry(nil, "review:malformed_json@1", "", "END"),
	)

	It("X6: continues if the image generator panics, as if the image agent had failed", func() {
		s := newStage(followPath(whole...))
		cfg := s.config()
		cfg.ImageGenerator = imageGenerator(func(newsroom.ImageRequest) (string, error) { panic("bug") })
		a, err := newsroom.New(cfg)
		Expect(err).NotTo(HaveOccurred())
		Expect(s.runTurnsWith(a, agent.Turn{Text: sampleRequest})[0].AnsweredBy).To(Equal("END"))
		Expect(s.eventLines(trace.KindFallback)).To(ContainElement("image_agent image_agent→supervisor panic"))
	})

	It("N3: executes at most ten tool calls of an agent, and then requires an answer without tools", func() {
		s := newStage(script("brief_compiler_agent", "research_evidence_agent", "writer_agent", "review_agent"))
		s.replies["research"] = func(r model.Request) model.Answer {
			if len(r.Tools) == 0 {
				return model.Answer{Content: `{"evidencePack":{"summary":"够了"}}`}
			}
			return model.Answer{ToolCalls: []model.ToolCall{{Name: "search", Arguments: `{"query":"a"}`},
				{Name: "search", Arguments: `{"query":"b"}`}, {Name: "search", Arguments: `{"query":"c"}`}}}
		}
		r := s.runText(sampleRequest)
		Expect(r.AnsweredBy).To(Equal("END"))
		Expect(s.requests["search"]).To(HaveLen(10))
		Expect(s.requests["research"]).To(HaveLen(5))
		Expect(s.requests["writer"][0].Text).To(ContainSubstring("够了"))
		Expect(r.ToolCalls).To(HaveLen(10))
		Expect(s.requests["research"][4].Messages[len(s.requests["research"][4].Messages)-1].Text).
			To(ContainSubstring("没有执行"))
	})

	It("limits the length of the reply, even if the post has many long tags", func() {
		s := newStage(followPath("brief_compiler_agent", "writer_agent", "review_agent", "END"))
		tags := strings.Repeat(`"`+strings.Repeat("长", 3_000)+`",`, 99) + `"x"`
		s.replies["writer"] = func(model.Request) model.Answer {
			return model.Answer{Content: `{"generatedContent":{"title":"t","body":"正文","tags":[` + tags + `]}}`}
		}
		r := s.runText(sampleRequest)
		Expect(r.AnsweredBy).To(Equal("END"))
		Expect(len(r.Content)).To(And(BeNumerically("<=", 64<<10), BeNumerically(">", 60<<10)))
		Expect(utf8.ValidString(r.Content)).To(BeTrue())
	})

	It("N3: stops an agent whose calls take more than a minute together", func() {
		s := newStage(script("brief_compiler_agent", "research_evidence_agent", "writer_agent", "review_agent"))
		s.replies["research"] = func(model.Request) model.Answer {
			return model.Answer{ToolCalls: []model.ToolCall{{Name: "search", Arguments: `{"query":"a"}`}}}
		}
		s.faults = "search:timeout"
		r := s.runText(sampleRequest)
		Expect(r.AnsweredBy).To(Equal("END"))
		Expect(len(s.requests["research"])).To(BeNumerically("<=", 4))
		Expect(s.eventLines(trace.KindFallback)).
			To(ContainElement("research_evidence_agent research_evidence_agent→supervisor timeout"))
		Expect(s.duration).To(BeNumerically("<", 75*time.Second))
	})

	It("N3: lists the executed tool calls in the reply, and traces the number of those that were not executed", func() {
		s := newStage(followPath("brief_compiler_agent", "research_evidence_agent", "writer_agent",
			"review_agent", "END"))
		s.replies["research"] = func(r model.Request) model.Answer {
			if len(r.Tools) == 0 {
				return model.Answer{Content: `{"evidencePack":{"summary":"好"}}`}
			}
			var a model.Answer
			for range 100 {
				a.ToolCalls = append(a.ToolCalls,
					model.ToolCall{Name: strings.Repeat("x", 500), Arguments: `{"query":"a"}`})
			}
			return a
		}
		r := s.runText(sampleRequest)
		Expect(r.AnsweredBy).To(Equal("END"))
		Expect(r.ToolCalls).To(HaveLen(10))
		Expect(r.ToolCalls).To(HaveEach(HaveField("Name", HaveLen(100))))
		Expect(s.events).To(ContainElement(And(HaveField("Kind", trace.KindIgnoredInput),
			HaveField("From", "tool_calls"), HaveField("Text", "90"))))
	})

	It("N3: stops an agent that never returns an answer but only calls tools", func() {
		s := newStage(script("brief_compiler_agent", "research_evidence_agent", "writer_agent", "review_agent"))
		s.replies["research"] = func(model.Request) model.Answer {
			return model.Answer{ToolCalls: []model.ToolCall{{Name: "search", Arguments: `{}`},
				{Name: "hack", Arguments: `x`}}}
		}
		r := s.runText(sampleRequest)
		Expect(r.AnsweredBy).To(Equal("END"))
		Expect(s.requests["research"]).To(HaveLen(6))
		Expect(s.requests["search"]).To(BeEmpty())
		Expect(s.eventLines(trace.KindFallback)).
			To(ContainElement("research_evidence_agent research_evidence_agent→supervisor no_content"))
	})

	It("N3: allows the supervisor to read artifacts with a tool, at most ten times per decision", func() {
		s := newStage(nil)
		n := 0
		s.decides = func(r model.Request) model.Answer {
			if n++; len(r.Tools) > 0 && n > 1 {
				return model.Answer{ToolCalls: []model.ToolCall{{Name: "read_artifact",
					Arguments: `{"field":"creativeBrief"}`}}}
			}
			return script("brief_compiler_agent")(r)
		}
		s.values["max-iterations"] = "2"
		r := s.runText(sampleRequest)
		Expect(s.requests["router"]).To(HaveLen(1 + 11))
		Expect(r.ToolCalls).To(HaveLen(10))
		Expect(r.ToolCalls[0].Output).To(ContainSubstring(`"topic"`))
		Expect(path(r)).To(Equal([]string{"brief_compiler", "brief_compiler", "END"}))
	})

	It("N6: generates one image per plan, and in a second visit only the missing ones", func() {
		s := newStage(script("brief_compiler_agent", "image_planner_agent", "image_agent", "image_agent",
			"writer_agent", "review_agent"))
		s.faults = "image:content_blocked@2"
		r := s.runText(sampleRequest)
		Expect(r.AnsweredBy).To(Equal("END"))
		Expect(s.requests["router"][3].Text).To(ContainSubstring("- generatedImageAssetIds: partial 1/2"))
		Expect(strings.Count(r.Content, "![")).To(Equal(2))
	})

	DescribeTable("with the option single_step, makes one decision on the given state and returns where it leads",
		func(state, decided, served, predicted, source string) {
			s := newStage(script(decided))
			r := s.runTurns(singleDecision(sampleRequest, state))[0]
			Expect([]string{r.AnsweredBy, r.Predicted, r.DecidedBy}).To(Equal([]string{served, predicted, source}))
			Expect(s.requests["router"]).To(HaveLen(1))
			Expect(r.Steps).To(HaveLen(1))
		},
		Entry("to the chosen agent", `{}`, "brief_compiler_agent", "brief_compiler_agent",
			"brief_compiler_agent", "llm"),
		Entry("to another agent if the input of the chosen one is missing", `{}`, "writer_agent",
			"brief_compiler_agent",
			"writer_agent", "precondition"),
		Entry("back to the supervisor after a decision to end too early", `{}`, "END", "supervisor",
			"END", "precondition"),
		Entry("to the end after an approval", `{`+text+`,`+good+`}`, "END", "END", "END", "llm"),
		Entry("to the exhausted end at the limit of decisions", `{"iterationCount":15}`, "END", "exhausted",
			"END", "max_iterations"),
		Entry("back to the supervisor after an answer that is not JSON", `{}`, "hm", "supervisor", "invalid", "llm"),
		Entry("to the end after an answer that is not JSON, at the limit with an approval",
			`{"iterationCount":15,`+text+`,`+good+`}`,
			"hm",
			"END", "invalid", "llm"),
		Entry("to the exhausted end after an answer that is not JSON, at the limit without an approval",
			`{"iterationCount":15}`, "hm",
			"exhausted", "invalid", "llm"),
		Entry("to another agent if the chosen one, spelled with capitals and a space, lacks its input", `{}`,
			`{"next_agent":"Writer_Agent "}`, "brief_compiler_agent",
			"writer_agent",
			"precondition"),
	)

	It("N4: does not end after a failed review, even if an earlier review approved the post", func() {
		s := newStage(script("review_agent"))
		s.faults, s.values["max-iterations"] = "review:auth", "3"
		r := s.runTurns(turnWithState(sampleRequest, `{`+text+`,`+good+`}`))[0]
		Expect(stepsOf(r)[2:]).To(
			Equal([]string{"review_agent→review_agent by llm", "→END by max_iterations (max_iterations)"}))
	})

	It("returns an error reply for a turn without text", func() {
		s := newStage(script("END"))
		r := s.runText("  ")
		Expect(r.AnsweredBy).To(Equal("failed"))
		Expect(r.ErrorReply.Code).To(Equal("EMPTY_INPUT"))
		Expect(s.requests["router"]).To(BeEmpty())
	})

	It("stops after the first decision if only the decision is requested", func() {
		s := newStage(script("writer_agent"))
		s.values["decision-only"] = "yes"
		r := s.runText(sampleRequest)
		Expect([]string{r.Predicted, r.AnsweredBy}).To(Equal([]string{"writer_agent", ""}))
	})

	It("returns an error if the turn's state has an unknown field or an invalid value", func() {
		s := newStage(script("END"))
		a := s.open()
		_, err := a.Respond(context.Background(), turnWithState(sampleRequest, `{"mood":1}`), nil)
		Expect(err).To(MatchError(`state: unknown field "mood"`))
		_, err = a.Respond(context.Background(), turnWithState(sampleRequest, `{"iterationCount":"x"}`), nil)
		Expect(err).To(MatchError(HavePrefix("state.iterationCount: ")))
	})

	It("X6: stops when its context ends, with exactly one done event", func() {
		s := newStage(followPath(whole...))
		a := s.open()
		for _, at := range []time.Duration{500 * time.Millisecond, 1500 * time.Millisecond, 3500 * time.Millisecond,
			9 * time.Second} {
			Expect(clock.RunSimulated(context.Background(), noon, func(ctx context.Context) error {
				ctx, cancel := clock.WithTimeout(ctx, at)
				defer cancel()
				r, err := s.answer(ctx, a, agent.Turn{Text: sampleRequest, Session: fmt.Sprint(at)})
				Expect(errors.Is(err, context.DeadlineExceeded) || errors.Is(err, llm.KindTimeout)).
					To(BeTrue(), "%v", err)
				Expect(r.AnsweredBy).To(BeEmpty())
				Expect(r.Content).To(BeEmpty(), "an apology would be for nobody")
				Expect(s.duration).To(Equal(at))
				Expect(s.eventLines(trace.KindDone)).To(HaveLen(1))
				return nil
			})).To(Succeed())
		}
	})

	It("returns its messages in the language of the request", func() {
		s := newStage(script("brief_compiler_agent", "writer_agent"))
		Expect(s.runText("a post on autumn camping").Content).To(HavePrefix("Note: round 15 was the last one"))
	})
})

var _ = DescribeTable("X3: Decoding a decision of the supervisor accepts invalid fields except for the agent's name",
	func(answer, next, instructions string) {
		gotNext, gotInstructions := newsroom.Decided(answer)
		Expect([]string{gotNext, gotInstructions}).To(Equal([]string{next, instructions}))
	},
	Entry(nil, say("END"), "END", "主编的要求：写具体些\n前面的进展：刚开始\n重点：帐篷、保暖\n"),
	Entry("a decision in a code fence after prose", "分析：该写了。\n```json\n{\"next_agent\":\"writer_agent\"}\n```",
		"writer_agent", ""),
	Entry("additional fields of wrong types",
		`{"next_agent":"END","guidance":["a","b"],"context_from_previous":{"x":1},"focus_areas":"c"}`, "END",
		"主编的要求：a\nb\n重点：c\n"),
	Entry("additional fields that are null", `{"next_agent":"END","guidance":null,"focus_areas":null}`, "END", ""),
	Entry("but no number as the agent's name", `{"next_agent":7}`, "", ""),
	Entry("and no list as the agent's name", `{"next_agent":["writer_agent"]}`, "", ""),
	Entry("the format of the original system, with a status after the object",
		`{"next_agent":"writer_agent","focus_areas":["a"]}`+"\n当前状态：\n- brief: ✅ 已完成",
		"writer_agent", "重点：a\n"),
)

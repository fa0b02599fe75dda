package newsroom_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/newsroom"
)

const (
	good = `"reviewFeedback":{"approved":true},"qualityScores":{"infoDensity":0.7,"textImageAlignment":0.7,"styleConsistency":1,"readability":0.8,"platformFit":0.9}`
	poor = `"reviewFeedback":{"approved":true},"qualityScores":{"infoDensity":0.69,"textImageAlignment":0.7,"styleConsistency":1,"readability":0.8,"platformFit":0.9}`
	text = `"creativeBrief":{"topic":"露营"},"generatedContent":{"body":"去露营吧"}`
)

var _ = Describe("routing after a supervisor's decision", func() {
	DescribeTable("N1: leads to the chosen agent, back to the supervisor if there is no valid choice, or to the end if that is allowed",
		func(state, decided, to, by, reason string) {
			gotTo, gotBy, gotReason := newsroom.Route(state, decided)
			Expect([]string{gotTo, gotBy, gotReason}).To(Equal([]string{to, by, reason}))
		},
		Entry("the agent that was chosen", `{}`, "brief_compiler_agent", "brief_compiler_agent", "llm", ""),
		Entry("the chosen agent although its artifact already exists", `{`+text+`}`, "brief_compiler_agent",
			"brief_compiler_agent", "llm", ""),
		Entry("the supervisor after no choice", `{}`, "", "supervisor", "llm", "no_decision"),
		Entry("the supervisor after the choice of an unknown agent", `{}`, "poet_agent", "supervisor",
			"llm", "unknown_agent"),
		Entry("the end after an approval with good scores", `{`+text+`,`+good+`}`, "END", "END", "llm", ""),
		Entry("the supervisor after a decision to end without a review", `{`+text+`}`, "END", "supervisor",
			"precondition", "end_rejected"),
		Entry("the supervisor after a decision to end with a score below the threshold", `{`+text+`,`+poor+`}`,
			"END", "supervisor",
			"precondition", "end_rejected"),
		Entry("the chosen agent although the end is allowed", `{`+text+`,`+good+`}`, "writer_agent",
			"writer_agent", "llm", ""),
	)

	DescribeTable("N2: replaces exactly the agents of the table whose input is missing, with the reason",
		func(state, agent, fallback, reason string) {
			to, why := newsroom.CheckBasicPreconditions(state, agent)
			Expect([]string{to, why}).To(Equal([]string{fallback, reason}))
		},
		Entry(nil, `{}`, "writer_agent", "brief_compiler_agent", "needs_brief"),
		Entry(nil, `{"creativeBrief":{"topic":"x"}}`, "writer_agent", "", ""),
		Entry("a writer with an empty brief", `{"creativeBrief":{}}`, "writer_agent", "brief_compiler_agent",
			"needs_brief"),
		Entry(nil, `{}`, "review_agent", "writer_agent", "needs_content"),
		Entry("a review of a post with a blank body", `{"generatedContent":{"title":"x","body":" "}}`,
			"review_agent", "writer_agent",
			"needs_content"),
		Entry(nil, `{"generatedContent":{"body":"x"}}`, "review_agent", "", ""),
		Entry(nil, `{}`, "image_agent", "image_planner_agent", "needs_image_plans"),
		Entry("an image agent with an empty list of plans", `{"imagePlans":[]}`, "image_agent", "image_planner_agent",
			"needs_image_plans"),
		Entry(nil, `{"imagePlans":[{"id":"p","prompt":"x"}]}`, "image_agent", "", ""),
		Entry(nil, `{}`, "brief_compiler_agent", "", ""), Entry(nil, `{}`, "research_evidence_agent", "", ""),
		Entry(nil, `{}`, "reference_intelligence_agent", "", ""), Entry(nil, `{}`, "layout_planner_agent", "", ""),
		Entry(nil, `{}`, "image_planner_agent", "", ""),
	)

	It("N2: replaces agents until no input is missing, with the reason of the first replacement", func() {
		to, by, reason := newsroom.Route(`{}`, "review_agent")
		Expect([]string{to, by, reason}).To(Equal([]string{"brief_compiler_agent", "precondition", "needs_content"}))
		to, _, reason = newsroom.Route(`{"creativeBrief":{"topic":"x"}}`, "review_agent")
		Expect([]string{to, reason}).To(Equal([]string{"writer_agent", "needs_content"}))
	})

	DescribeTable("N3: continues after the supervisor's answer with its tool calls, or with the decision",
		func(calls, executed int, to string) {
			Expect(newsroom.ShouldContinueSupervisor(calls, executed)).To(Equal(to))
		},
		Entry(nil, 0, 0, "route"), Entry(nil, 1, 0, "supervisor_tools"), Entry(nil, 3, 9, "supervisor_tools"),
		Entry("with the decision if ten calls have been executed", 1, 10, "route"),
	)
	DescribeTable("N3: continues after the research agent's answer with its tool calls, or with the supervisor",
		func(calls, executed int, to string) {
			Expect(newsroom.ShouldContinueResearch(calls, executed)).To(Equal(to))
		},
		Entry(nil, 0, 0, "supervisor"), Entry(nil, 1, 0, "research_evidence_tools"),
		Entry(nil, 1, 9, "research_evidence_tools"),
		Entry("with the supervisor if ten calls have been executed", 1, 10, "supervisor"),
	)
	DescribeTable("N3: continues after the image agent's answer with its tool calls, or with the supervisor",
		func(complete bool, calls, executed int, to string) {
			Expect(newsroom.ShouldContinueImage(complete, calls, executed)).To(Equal(to))
		},
		Entry(nil, true, 2, 0, "supervisor"), Entry(nil, true, 0, 0, "supervisor"),
		Entry(nil, false, 1, 9, "image_tools"),
		Entry("with the supervisor if ten calls have been executed", false, 1, 10, "supervisor"),
		Entry(nil, false, 1, 11, "supervisor"),
		Entry(nil, false, 0, 3, "supervisor"),
	)
	DescribeTable("N3: continues after a review with the end if the post is approved with good scores, or with the supervisor", func(approved, quality bool, to string) {
		Expect(newsroom.ShouldContinueReview(approved, quality)).To(Equal(to))
	},
		Entry(nil, true, true, "END"), Entry(nil, true, false, "supervisor"), Entry(nil, false, true, "supervisor"),
		Entry(nil, false, false, "supervisor"),
	)

	DescribeTable("N4: may lead to the end after an approval with good scores, and must do so at the limit of decisions",
		func(state, decided, to, by string) {
			gotTo, gotBy, _ := newsroom.Route(state, decided)
			Expect([]string{gotTo, gotBy}).To(Equal([]string{to, by}))
		},
		Entry("with a score equal to the threshold", `{`+text+`,`+good+`}`, "END", "END", "llm"),
		Entry("not with a score below the threshold", `{`+text+`,`+poor+`}`, "END", "supervisor", "precondition"),
		Entry("not with a missing score",
			`{`+text+`,"reviewFeedback":{"approved":true},"qualityScores":{"infoDensity":0.9,"textImageAlignment":0.9,"styleConsistency":0.9,"readability":0.9}}`,
			"END", "supervisor", "precondition"),
		Entry("not with good scores without an approval", `{`+text+
			`,"reviewFeedback":{"approved":false},"qualityScores":{"infoDensity":0.9,"textImageAlignment":0.9,"styleConsistency":0.9,"readability":0.9,"platformFit":0.9}}`,
			"END", "supervisor", "precondition"),
		Entry("not one decision below the limit", `{"iterationCount":14}`, "END", "supervisor", "precondition"),
		Entry("at the limit", `{"iterationCount":15}`, "END", "END", "max_iterations"),
		Entry("at the limit that the state contains", `{"iterationCount":3,"maxIterations":3}`, "END",
			"END", "max_iterations"),
		Entry("not one decision below the limit that the state contains", `{"iterationCount":15,"maxIterations":16}`,
			"END",
			"supervisor", "precondition"),
		Entry("at the limit, even if an agent is chosen", `{"iterationCount":15}`, "brief_compiler_agent",
			"END", "max_iterations"),
		Entry("at the limit, even without a choice", `{"iterationCount":15}`, "", "END", "max_iterations"),
		Entry("above the limit, even if an unknown agent is chosen", `{"iterationCount":40}`, "poet",
			"END", "max_iterations"),
		Entry("at the limit, as the supervisor's decision after an approval", `{"iterationCount":15,`+text+`,`+good+`}`,
			"END", "END", "llm"),
	)

	DescribeTable("N5: suggests the agent that can improve the lowest score below the threshold; ties follow the order of the table",
		func(scores, agent string) {
			Expect(newsroom.Backtrack(`{"qualityScores":` + scores + `}`)).To(Equal(agent))
		},
		Entry(nil, `{"infoDensity":0.6}`, "research_evidence_agent"),
		Entry(nil, `{"textImageAlignment":0.6}`, "layout_planner_agent"),
		Entry(nil, `{"styleConsistency":0.6}`, "reference_intelligence_agent"),
		Entry(nil, `{"readability":0.6}`, "image_planner_agent"),
		Entry(nil, `{"platformFit":0.6}`, "writer_agent"),
		Entry("the agent for the lowest of several low scores",
			`{"infoDensity":0.6,"readability":0.3,"platformFit":0.5}`,
			"image_planner_agent"),
		Entry("the agent for the first of equal low scores",
			`{"platformFit":0.5,"styleConsistency":0.5,"readability":0.5}`,
			"reference_intelligence_agent"),
		Entry("no agent if no score is below the threshold", `{"infoDensity":0.7,"platformFit":1}`, ""),
		Entry("no agent without scores", `{}`, ""),
		Entry("the agent for one low score while all other scores are missing", `{"platformFit":0.1}`, "writer_agent"),
	)
})

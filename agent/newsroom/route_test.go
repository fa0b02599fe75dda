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

var _ = Describe("the route", func() {
	DescribeTable("N1: leads to the chosen agent, back to the supervisor without one, and to the end if that is allowed",
		func(state, decided, to, by, reason string) {
			gotTo, gotBy, gotReason := newsroom.Route(state, decided)
			Expect([]string{gotTo, gotBy, gotReason}).To(Equal([]string{to, by, reason}))
		},
		Entry("an agent", `{}`, "brief_compiler_agent", "brief_compiler_agent", "llm", ""),
		Entry("an agent whose artifact already exists", `{`+text+`}`, "brief_compiler_agent",
			"brief_compiler_agent", "llm", ""),
		Entry("no agent", `{}`, "", "supervisor", "llm", "no_decision"),
		Entry("an unknown agent", `{}`, "poet_agent", "supervisor", "llm", "unknown_agent"),
		Entry("an end that is allowed", `{`+text+`,`+good+`}`, "END", "END", "llm", ""),
		Entry("an end without a review", `{`+text+`}`, "END", "supervisor", "precondition", "end_rejected"),
		Entry("an end with a low score", `{`+text+`,`+poor+`}`, "END", "supervisor", "precondition", "end_rejected"),
		Entry("an agent although the end is allowed", `{`+text+`,`+good+`}`, "writer_agent", "writer_agent", "llm", ""),
	)

	DescribeTable("N2: replaces an agent whose precondition is not met, according to the table only",
		func(state, agent, fallback, reason string) {
			to, why := newsroom.CheckBasicPreconditions(state, agent)
			Expect([]string{to, why}).To(Equal([]string{fallback, reason}))
		},
		Entry(nil, `{}`, "writer_agent", "brief_compiler_agent", "needs_brief"),
		Entry(nil, `{"creativeBrief":{"topic":"x"}}`, "writer_agent", "", ""),
		Entry("an empty brief", `{"creativeBrief":{}}`, "writer_agent", "brief_compiler_agent", "needs_brief"),
		Entry(nil, `{}`, "review_agent", "writer_agent", "needs_content"),
		Entry("a blank body", `{"generatedContent":{"title":"x","body":" "}}`, "review_agent", "writer_agent",
			"needs_content"),
		Entry(nil, `{"generatedContent":{"body":"x"}}`, "review_agent", "", ""),
		Entry(nil, `{}`, "image_agent", "image_planner_agent", "needs_image_plans"),
		Entry("no plans", `{"imagePlans":[]}`, "image_agent", "image_planner_agent", "needs_image_plans"),
		Entry(nil, `{"imagePlans":[{"id":"p","prompt":"x"}]}`, "image_agent", "", ""),
		Entry(nil, `{}`, "brief_compiler_agent", "", ""), Entry(nil, `{}`, "research_evidence_agent", "", ""),
		Entry(nil, `{}`, "reference_intelligence_agent", "", ""), Entry(nil, `{}`, "layout_planner_agent", "", ""),
		Entry(nil, `{}`, "image_planner_agent", "", ""),
	)

	It("N2: follows a chain of preconditions, with the reason of the first", func() {
		to, by, reason := newsroom.Route(`{}`, "review_agent")
		Expect([]string{to, by, reason}).To(Equal([]string{"brief_compiler_agent", "precondition", "needs_content"}))
		to, _, reason = newsroom.Route(`{"creativeBrief":{"topic":"x"}}`, "review_agent")
		Expect([]string{to, reason}).To(Equal([]string{"writer_agent", "needs_content"}))
	})

	DescribeTable("N3: the supervisor continues according to the table", func(calls, executed int, to string) {
		Expect(newsroom.ShouldContinueSupervisor(calls, executed)).To(Equal(to))
	},
		Entry(nil, 0, 0, "route"), Entry(nil, 1, 0, "supervisor_tools"), Entry(nil, 3, 9, "supervisor_tools"),
		Entry("ten are enough", 1, 10, "route"),
	)
	DescribeTable("N3: research continues according to the table", func(calls, executed int, to string) {
		Expect(newsroom.ShouldContinueResearch(calls, executed)).To(Equal(to))
	},
		Entry(nil, 0, 0, "supervisor"), Entry(nil, 1, 0, "research_evidence_tools"),
		Entry(nil, 1, 9, "research_evidence_tools"),
		Entry("ten are enough", 1, 10, "supervisor"),
	)
	DescribeTable("N3: the image agent continues according to the table",
		func(complete bool, calls, executed int, to string) {
			Expect(newsroom.ShouldContinueImage(complete, calls, executed)).To(Equal(to))
		},
		Entry(nil, true, 2, 0, "supervisor"), Entry(nil, true, 0, 0, "supervisor"),
		Entry(nil, false, 1, 9, "image_tools"),
		Entry("ten are enough", false, 1, 10, "supervisor"), Entry(nil, false, 1, 11, "supervisor"),
		Entry(nil, false, 0, 3, "supervisor"),
	)
	DescribeTable("N3: the review continues according to the table", func(approved, quality bool, to string) {
		Expect(newsroom.ShouldContinueReview(approved, quality)).To(Equal(to))
	},
		Entry(nil, true, true, "END"), Entry(nil, true, false, "supervisor"), Entry(nil, false, true, "supervisor"),
		Entry(nil, false, false, "supervisor"),
	)

	DescribeTable("N4: may end when the review approves and each score suffices, and must end at the limit",
		func(state, decided, to, by string) {
			gotTo, gotBy, _ := newsroom.Route(state, decided)
			Expect([]string{gotTo, gotBy}).To(Equal([]string{to, by}))
		},
		Entry("a score at the threshold", `{`+text+`,`+good+`}`, "END", "END", "llm"),
		Entry("a score below it", `{`+text+`,`+poor+`}`, "END", "supervisor", "precondition"),
		Entry("a missing score",
			`{`+text+`,"reviewFeedback":{"approved":true},"qualityScores":{"infoDensity":0.9,"textImageAlignment":0.9,"styleConsistency":0.9,"readability":0.9}}`,
			"END", "supervisor", "precondition"),
		Entry("not approved", `{`+text+
			`,"reviewFeedback":{"approved":false},"qualityScores":{"infoDensity":0.9,"textImageAlignment":0.9,"styleConsistency":0.9,"readability":0.9,"platformFit":0.9}}`,
			"END", "supervisor", "precondition"),
		Entry("below the limit", `{"iterationCount":14}`, "END", "supervisor", "precondition"),
		Entry("at the limit", `{"iterationCount":15}`, "END", "END", "max_iterations"),
		Entry("at a limit in the state", `{"iterationCount":3,"maxIterations":3}`, "END", "END", "max_iterations"),
		Entry("below a limit in the state", `{"iterationCount":15,"maxIterations":16}`, "END",
			"supervisor", "precondition"),
		Entry("an agent at the limit", `{"iterationCount":15}`, "brief_compiler_agent", "END", "max_iterations"),
		Entry("no agent at the limit", `{"iterationCount":15}`, "", "END", "max_iterations"),
		Entry("an unknown agent beyond it", `{"iterationCount":40}`, "poet", "END", "max_iterations"),
		Entry("approved at the limit", `{"iterationCount":15,`+text+`,`+good+`}`, "END", "END", "llm"),
	)

	DescribeTable("N5: suggests the agent of the lowest score below the threshold, with ties in table order",
		func(scores, agent string) {
			Expect(newsroom.Backtrack(`{"qualityScores":` + scores + `}`)).To(Equal(agent))
		},
		Entry(nil, `{"infoDensity":0.6}`, "research_evidence_agent"),
		Entry(nil, `{"textImageAlignment":0.6}`, "layout_planner_agent"),
		Entry(nil, `{"styleConsistency":0.6}`, "reference_intelligence_agent"),
		Entry(nil, `{"readability":0.6}`, "image_planner_agent"),
		Entry(nil, `{"platformFit":0.6}`, "writer_agent"),
		Entry("the lowest of several", `{"infoDensity":0.6,"readability":0.3,"platformFit":0.5}`,
			"image_planner_agent"),
		Entry("a tie", `{"platformFit":0.5,"styleConsistency":0.5,"readability":0.5}`, "reference_intelligence_agent"),
		Entry("none below", `{"infoDensity":0.7,"platformFit":1}`, ""),
		Entry("no scores", `{}`, ""), Entry("a missing score and a low one", `{"platformFit":0.1}`, "writer_agent"),
	)
})

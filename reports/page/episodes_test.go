package page_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/eval"
	"evalctl/reports/page"
)

var _ = Describe("The figure of turns with several decisions", func() {
	condition := func(name string) eval.ConditionSummary {
		return eval.ConditionSummary{Variant: name,
			Metrics: map[string]eval.Estimate{"path.exact": share(50, 60), "supervisor.correction_rate": share(3, 600),
				"supervisor.correction_rate.needs_content": share(3, 600), "supervisor.steps_mean": value(7, 60)}}
	}
	suite := eval.SuiteSummary{Name: "s", Conditions: []eval.ConditionSummary{condition("v"), condition("w")}}
	episode := func(name string, n int, v eval.Verdict, names ...string) eval.Result {
		r := trial(name, n, 5)
		r.Turns[0].HasDecisionSequence = true
		for _, one := range names {
			r.Turns[0].Steps = append(r.Turns[0].Steps, agent.Step{Proposed: one, Executed: one, DecidedBy: "llm"})
		}
		r.Scores = append(r.Scores,
			eval.Score{Name: "path.exact", Verdict: v, Turn: 1, Expected: eval.OneOf{"brief → search | look → END"}})
		return r
	}
	paths := spreadOf(suite, episode("v", 1, eval.Fail, "brief", "write", "END"),
		episode("v", 2, eval.Fail, "brief", "write", "END"), episode("v", 3, eval.Pass, "brief", "look", "END"),
		episode("w", 1, eval.Pass, "brief", "look", "END"))

	It("shows wrong paths as agents joined by arrows, with the first wrong step marked, the labeled path and example cases",
		func() {
			got := page.MultiDecisionTurns(suite, paths)
			Expect(words(got)).To(And(ContainSubstring("Paths of v 3 turns · 1 on the labeled path, 2 not"),
				ContainSubstring("2 × brief → ✗ write → END labeled: brief → search | look → END c001 c002")))
			Expect(count(got, "span", "off")).To(Equal(1))
			Expect(links(got)).To(HaveKeyWithValue("#case/s/c002?variant=v", "c002"))
		})

	It("also shows right paths, and the metrics of all paths", func() {
		got := words(page.MultiDecisionTurns(suite, paths))
		Expect(got).To(And(ContainSubstring("As labeled 1 × brief → look → END c003"),
			ContainSubstring("v and w 83.3 % [73.3, 93.3] of 60 7.00 [6.30, 7.70] of 60"),
			ContainSubstring("corrected: needs_content")))
		Expect(page.MultiDecisionTurns(
			eval.SuiteSummary{Conditions: []eval.ConditionSummary{variant("v", 1, 1, 1, 1)}}, nil)).
			To(BeEmpty())
	})
})

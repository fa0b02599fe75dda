package page_test

import (
	"encoding/json"
	"html/template"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/trace"
	"evalctl/eval"
	"evalctl/eval/journal"
	"evalctl/reports/page"
)

// hostileSuite returns a suite with data for each figure. rename returns the text for each name,
// label and message.
func hostileSuite(rename func(int) string) (eval.SuiteSummary, *page.SuiteDistribution, *journal.Manifest) {
	of := &eval.Confusion{Labels: []string{rename(1), rename(2)}, ExpectedLabels: 2,
		Counts: [][]int64{{20, 4}, {2, 30}}}
	condition := func(name string) eval.ConditionSummary {
		c := eval.ConditionSummary{Variant: name, Trials: 56, Confusion: of,
			LoopRounds: []eval.LoopRoundSummary{{Round: 1, ReachedTurns: 3, LabeledImageNotShown: 1}},
			Metrics:    map[string]eval.Estimate{}}
		for _, metric := range []string{"route.recall." + rename(1), "route.recall." + rename(2), "path.exact",
			"supervisor.correction_rate", "supervisor.correction_rate." + rename(3),
			"retrieval.hit_rate", "latency.p50", "latency.p95", "node." + rename(4) + ".calls", "cost.total_usd",
			"calls.mean"} {
			c.Metrics[metric] = share(20, 24)
		}
		c.Confidence = &eval.ConfidenceSummary{MeanConfidence: 0.5, Accuracy: share(20, 24),
			Bins: []eval.ConfidenceBin{{Lo: 0.1, Hi: 0.9, MeanConfidence: 0.5, Accuracy: share(20, 24)}}}
		return c
	}
	s := eval.SuiteSummary{Name: rename(5), Dataset: rename(6), Epochs: 2, Split: rename(7), Tags: []string{rename(8)},
		FailedInRun: rename(9), DecisionOnly: true, Clock: rename(11),
		Conditions: []eval.ConditionSummary{condition(rename(12)), condition(rename(13)),
			under(condition(rename(12)), rename(14))},
		Models: []eval.ModelInfo{{Component: rename(15), Kind: rename(16), Note: rename(17),
			Variants: []string{rename(12)}}}}
	s.Conditions[2].Confusion = &eval.Confusion{Labels: of.Labels, ExpectedLabels: 2, Counts: [][]int64{{1, 2}, {3, 4}}}
	all := page.NewCollector([]eval.SuiteSummary{s})
	for epoch := 1; epoch <= 2; epoch++ {
		r := trial(rename(12), 1, 5)
		r.Suite, r.Case, r.Epoch, r.Scores[0].Expected = s.Name, rename(18), epoch, eval.OneOf{rename(1)}
		r.Turns[0].HasDecisionSequence, r.Turns[0].Steps = true,
			[]agent.Step{{Proposed: rename(19), Executed: rename(20)}, {Executed: rename(21)}}
		r.Scores = append(r.Scores,
			eval.Score{Name: page.PathScore, Turn: 1, Verdict: eval.Fail,
				Expected: eval.OneOf{rename(22) + " → " + rename(23)}})
		r.LoopRounds = []eval.LoopRound{{Turn: 1, Round: 1, Passed: true, Reviewer: "llm",
			CriticInput: trace.CriticInputImage}}
		all.Add(r)
	}
	variants, err := json.Marshal(map[string]any{"name": s.Name,
		"variants": []any{map[string]any{"name": rename(12), rename(24): rename(25)}}})
	Expect(err).NotTo(HaveOccurred())
	return s, all.Finish(s), &journal.Manifest{Version: rename(26), Toolchain: rename(27), Args: []string{rename(28)},
		Datasets: []journal.DatasetInfo{{Hash: rename(29)}}, Suites: []json.RawMessage{variants}}
}

func all(s eval.SuiteSummary, of *page.SuiteDistribution, m *journal.Manifest) map[string]template.HTML {
	return map[string]template.HTML{"confusion": page.Confusion(s, nil), "classes": page.Classes(s, nil),
		"latency": page.Latency(s, of), "critic": page.Critic(s, of), "episodes": page.MultiDecisionTurns(s, of),
		"retrieval": page.Retrieval(s), "confidence": page.Confidence(s), "epochs": page.Epochs(s, of),
		"cost": page.Cost(s), "setup": page.Setup(s, m, nil)}
}

var _ = Describe("Hostile names and texts in a figure", func() {
	It("add no elements to it, and no links out of the page", func() {
		plain, bad := all(hostileSuite(func(n int) string { return strings.Repeat("x", n) })),
			all(hostileSuite(figureHostile))
		for name, one := range plain {
			Expect(one).NotTo(BeEmpty(), name)
			Expect(figureElements(bad[name])).To(Equal(figureElements(one)), name)
			Expect(string(bad[name])).NotTo(ContainSubstring("<script"), name)
			Expect(strings.ContainsAny(string(bad[name]), "\x1b\u202e")).To(BeFalse(), name)
		}
	})

	It("do not make the figure differ when it is rendered again", func() {
		for range 5 {
			Expect(all(hostileSuite(figureHostile))).To(Equal(all(hostileSuite(figureHostile))))
		}
	})
})

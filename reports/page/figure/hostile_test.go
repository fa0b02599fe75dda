package figure_test

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
	"evalctl/reports/page/figure"
	"evalctl/reports/page/spread"
)

// everything is a suite that has something for each figure; named is what each of its
// names, labels and texts becomes.
func everything(named func(int) string) (eval.SuiteSummary, *spread.SuiteDistribution, *journal.Manifest) {
	of := &eval.Confusion{Labels: []string{named(1), named(2)}, ExpectedLabels: 2, Counts: [][]int64{{20, 4}, {2, 30}}}
	cell := func(name string) eval.ConditionSummary {
		c := eval.ConditionSummary{Name: name, Trials: 56, Confusion: of, Loops: []eval.LoopSummary{{Loop: 1, Reached: 3, LabelNotShown: 1}}, Metrics: map[string]eval.Estimate{}}
		for _, metric := range []string{"route.recall." + named(1), "route.recall." + named(2), "path.exact", "supervisor.correction_rate", "supervisor.correction_rate." + named(3),
			"retrieval.hit_rate", "latency.p50", "latency.p95", "node." + named(4) + ".calls", "cost.total_usd", "calls.mean"} {
			c.Metrics[metric] = share(20, 24)
		}
		c.Confidence = &eval.ConfidenceSummary{MeanConfidence: 0.5, Accuracy: share(20, 24), Bins: []eval.ConfidenceBin{{Lo: 0.1, Hi: 0.9, MeanConfidence: 0.5, Accuracy: share(20, 24)}}}
		return c
	}
	s := eval.SuiteSummary{Name: named(5), Dataset: named(6), Epochs: 2, Split: named(7), Tags: []string{named(8)}, FailedIn: named(9), DecisionOnly: true, Time: named(11),
		Conditions: []eval.ConditionSummary{cell(named(12)), cell(named(13)), under(cell(named(12)), named(14))},
		Models:     []eval.ModelNote{{Component: named(15), Kind: named(16), Note: named(17), Variants: []string{named(12)}}}}
	s.Conditions[2].Confusion = &eval.Confusion{Labels: of.Labels, ExpectedLabels: 2, Counts: [][]int64{{1, 2}, {3, 4}}}
	all := spread.NewCollector([]eval.SuiteSummary{s})
	for epoch := 1; epoch <= 2; epoch++ {
		r := trial(named(12), 1, 5)
		r.Suite, r.Case, r.Epoch, r.Scores[0].Expected = s.Name, named(18), epoch, eval.OneOf{named(1)}
		r.Turns[0].Episode, r.Turns[0].Steps = true, []agent.Step{{Proposed: named(19), Executed: named(20)}, {Executed: named(21)}}
		r.Scores = append(r.Scores, eval.Score{Name: spread.PathScore, Turn: 1, Verdict: eval.Fail, Expected: eval.OneOf{named(22) + " → " + named(23)}})
		r.Loops = []eval.Loop{{Turn: 1, Loop: 1, Passed: true, Reviewer: "llm", CriticInput: trace.ShownImage}}
		all.Add(r)
	}
	variants, err := json.Marshal(map[string]any{"name": s.Name, "variants": []any{map[string]any{"name": named(12), named(24): named(25)}}})
	Expect(err).NotTo(HaveOccurred())
	return s, all.Close(s), &journal.Manifest{Version: named(26), Toolchain: named(27), Args: []string{named(28)}, Datasets: []journal.DatasetNote{{Hash: named(29)}}, Suites: []json.RawMessage{variants}}
}

func all(s eval.SuiteSummary, of *spread.SuiteDistribution, m *journal.Manifest) map[string]template.HTML {
	return map[string]template.HTML{"confusion": figure.Confusion(s, nil), "classes": figure.Classes(s, nil), "latency": figure.Latency(s, of), "critic": figure.Critic(s, of), "episodes": figure.Episodes(s, of),
		"retrieval": figure.Retrieval(s), "confidence": figure.Confidence(s), "epochs": figure.Epochs(s, of), "cost": figure.Cost(s), "setup": figure.Setup(s, m)}
}

var _ = Describe("Hostile names", func() {
	It("add no element to any figure, and no link out of the page", func() {
		plain, bad := all(everything(func(n int) string { return strings.Repeat("x", n) })), all(everything(hostile))
		for name, one := range plain {
			Expect(one).NotTo(BeEmpty(), name)
			Expect(elements(bad[name])).To(Equal(elements(one)), name)
			Expect(string(bad[name])).NotTo(ContainSubstring("<script"), name)
			Expect(strings.ContainsAny(string(bad[name]), "\x1b\u202e")).To(BeFalse(), name)
		}
	})

	It("leave a figure the same whenever it is drawn", func() {
		for range 5 {
			Expect(all(everything(hostile))).To(Equal(all(everything(hostile))))
		}
	})
})

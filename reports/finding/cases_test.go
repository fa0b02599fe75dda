package finding_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/reports/finding"
)

// links returns the link of each linked part in the sentence of a kind. It joins adjacent parts
// with the same link.
func links(s eval.SuiteSummary, kind finding.Kind) map[string]finding.CaseFilter {
	out := map[string]finding.CaseFilter{}
	for _, f := range finding.Findings(s) {
		if f.Kind != kind {
			continue
		}
		parts := f.ShownParts(false)
		for i := 0; i < len(parts); {
			var text strings.Builder
			from := i
			for ; i < len(parts) && parts[i].Link == parts[from].Link; i++ {
				text.WriteString(parts[i].Text)
			}
			if at := parts[from].Link; at != nil {
				out[text.String()] = *at
			}
		}
	}
	return out
}

var _ = Describe("The links in a finding", func() {
	It("lead to the cases that the best variant fixes and breaks compared with the baseline variant", func() {
		s := three(versus("c", "a", eval.Better, 0.11, 0.05, 0.17), versus("c", "b", eval.Better, 0.01, 0.004, 0.02))
		Expect(links(s, finding.KindMostAccurate)).To(Equal(map[string]finding.CaseFilter{
			"7 cases fixed": {Variant: "c", Change: "fixed"}, "4 broken": {Variant: "c", Change: "broken"},
		}))
		s.Epochs = 2
		Expect(links(s, finding.KindMostAccurate)).To(BeEmpty(), "a case is neither where it is played several times")
	})

	It("lead to the cases in which other variants differ from leaders with identical decisions", func() {
		s := three(versus("c", "a", eval.Identical, 0, 0, 0), versus("b", "c", eval.Worse, -0.11, -0.17, -0.05))
		s.Conditions[0] = condition("a", eval.NoFault, 81, 100)
		s.Differences = append(s.Differences, versus("b", "a", eval.Worse, -0.11, -0.17, -0.05))
		Expect(links(s, finding.KindMostAccurate)).To(Equal(map[string]finding.CaseFilter{
			"4 of these": {Variant: "b", Change: "broken"}, "7": {Variant: "b", Change: "fixed"},
		}))
	})

	It("lead to the cases of a confusion, for the best and for the baseline variant", func() {
		s := three()
		for _, at := range []int{0, 2} {
			c := &s.Conditions[at]
			c.ConfusedPairs = []eval.ConfusedPair{{Expected: "x", Predicted: "y", N: 4}}
			c.Confusion = &eval.Confusion{Labels: []string{"x", "y"}, Counts: [][]int64{{40, 4}, {0, 50}}}
		}
		Expect(links(s, finding.KindTopConfusion)).To(Equal(map[string]finding.CaseFilter{
			"x → y": {Variant: "c", Expected: "x", Predicted: "y"}, "4": {Variant: "a", Expected: "x", Predicted: "y"},
		}))
	})

	It("lead to the cases that a fault degrades, leaves unscored, or slows down", func() {
		s := three()
		bad := condition("a", "router:timeout", 5, 10)
		s.Conditions[0].Metrics["latency.p95"] = eval.Estimate{Value: new(1000.0), N: 100}
		bad.Metrics["latency.p95"] = eval.Estimate{Value: new(5000.0), N: 100}
		bad.Metrics["route.accuracy"] = eval.Estimate{Value: new(0.5), N: 10, Missing: 90}
		hurt := condition("a", "search:timeout", 61, 100)
		s.Conditions = append(s.Conditions, bad, hurt)
		s.FaultOutcomes = []eval.FaultOutcome{
			{Variant: "a", Fault: "router:timeout", Trials: 100, NowUnscored: 90},
			{Variant: "a", Fault: "search:timeout", Trials: 100, NowWrong: 9, Broken: 9},
		}
		Expect(links(s, finding.KindUnscored)).To(Equal(map[string]finding.CaseFilter{
			"router:timeout":  {Variant: "a", Fault: "router:timeout", Result: "unscored"},
			"90 of 100 cases": {Variant: "a", Fault: "router:timeout", Result: "unscored"},
		}))
		Expect(links(s, finding.KindWorstFault)).To(Equal(map[string]finding.CaseFilter{
			"router:timeout":         {Variant: "a", Fault: "router:timeout", Result: "degraded"},
			"90 of 100 cases":        {Variant: "a", Fault: "router:timeout", Result: "degraded"},
			"all failed or unscored": {Variant: "a", Fault: "router:timeout", Result: "now_unscored"},
		}))
		Expect(links(s, finding.KindSlowestFault)).
			To(Equal(map[string]finding.CaseFilter{"router:timeout": {Variant: "a", Fault: "router:timeout"}}))
		s.FaultOutcomes[0].NowUnscored, s.FaultOutcomes[1].NowErrorReply, s.FaultOutcomes[1].Fixed = 0, 3, 2
		of := finding.CaseFilter{Variant: "a", Fault: "search:timeout"}
		broken, errorReply, fixed := of, of, of
		broken.Result, errorReply.Result, fixed.Change = "now_wrong", "now_error_reply", "fixed"
		Expect(links(s, finding.KindWorstFault)).To(And(
			HaveKeyWithValue("9 broken", broken),
			HaveKeyWithValue("3 error replies", errorReply),
			HaveKeyWithValue("2 wrong decisions", fixed)))
		s.Conditions[2].Metrics["route.accuracy"] = eval.Estimate{Value: new(1.0), N: 2, Missing: 98}
		Expect(links(s, finding.KindUnscored)).
			To(Equal(map[string]finding.CaseFilter{"98 of 100 cases": {Variant: "c", Result: "unscored"}}))
	})
})

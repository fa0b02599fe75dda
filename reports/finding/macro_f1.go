package finding

import (
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/metric"
)

// support returns the finding on how many labels macro-F1 leaves out because no case expects them.
func support(s suite) *Sentence {
	var lacking []eval.ConditionSummary
	for _, c := range ConditionsWithoutFault(s.SuiteSummary) {
		if c.LabelsWithoutCases > 0 && metric.IsKnown(c.Metrics["route.macro_f1"].Value) {
			lacking = append(lacking, c)
		}
	}
	if len(lacking) == 0 {
		return nil
	}
	most := slices.MaxFunc(lacking,
		func(a, b eval.ConditionSummary) int { return int(a.LabelsWithoutCases - b.LabelsWithoutCases) })
	out := &Sentence{Kind: KindLabelsWithoutCases}
	if len(lacking) < len(ConditionsWithoutFault(s.SuiteSummary)) ||
		slices.ContainsFunc(lacking,
			func(c eval.ConditionSummary) bool { return c.LabelsWithoutCases != most.LabelsWithoutCases }) {
		out.addVariants(most.Variant)
		out.add(": ")
	}
	out.add(MacroF1CoverageText(most))
	return out
}

// MacroF1CoverageText states how many labels the macro-F1 of a condition covers, and how many it
// leaves out.
func MacroF1CoverageText(c eval.ConditionSummary) string {
	n := int64(0)
	for name, e := range c.Metrics {
		if strings.HasPrefix(name, "route.recall.") && e.N > 0 {
			n++
		}
	}
	return "Macro-F1 is the mean over " + metric.Plural(n, "label") + " with cases; " +
		metric.Plural(c.LabelsWithoutCases, "label") + withoutCases(c.LabelsWithoutCases) +
		". Its interval is corrected for bias"
}

func withoutCases(n int64) string {
	if n == 1 {
		return " has no case"
	}
	return " have no case"
}

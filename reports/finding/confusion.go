package finding

import (
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/metric"
)

// topConfusion returns the finding on the most frequent confusion of the best variant, compared
// with the baseline variant.
func topConfusion(s suite) *Sentence {
	ranked := RankedByAccuracy(s.SuiteSummary)
	if len(ranked) == 0 {
		return nil
	}
	best := ranked[0]
	pairs := topConfusions(best)
	if len(pairs) == 0 {
		return nil
	}
	out := &Sentence{Kind: KindTopConfusion}
	out.add("Top confusion")
	if len(pairs) > 1 {
		out.add("s")
	}
	out.add(" of ")
	out.addConfusions(best.Variant, pairs)
	if len(pairs) > 1 {
		return out
	}
	of := int64(0)
	for _, n := range row(best, pairs[0].Expected) {
		of += n
	}
	if of > 0 { // a condition with too many labels has no matrix
		out.add(" of " + metric.FormatInteger(of))
	}
	if first, ok := s.condition(BaselineVariant(s.SuiteSummary), eval.NoFault); ok && first.Variant != best.Variant {
		out.addBaselineConfusion(first, pairs[0])
	}
	return out
}

// addBaselineConfusion states how often the baseline variant makes the same confusion. If it never
// does, it names the most frequent confusion of the baseline variant.
func (out *Sentence) addBaselineConfusion(first eval.ConditionSummary, pair eval.ConfusedPair) {
	if n := row(first, pair.Expected)[pair.Predicted]; n > 0 {
		out.add(" (")
		out.addVariants(first.Variant)
		out.add(": ")
		out.add(metric.FormatInteger(n))
		out.linkCases(CaseFilter{Variant: first.Variant, Expected: pair.Expected, Predicted: pair.Predicted}, 1)
		out.add(")")
	} else if others := topConfusions(first); len(others) > 0 {
		out.add("; ")
		out.addConfusions(first.Variant, others)
	}
}

// addConfusions names the most frequent confusions of a variant and how often each occurred. All
// given confusions are equally frequent.
func (out *Sentence) addConfusions(variant string, pairs []eval.ConfusedPair) {
	out.addVariants(variant)
	out.add(": ")
	for i, p := range pairs {
		if i > 0 {
			out.add(" and ")
		}
		out.addConfusion(variant, p)
	}
	out.add(", " + metric.FormatInteger(pairs[0].N))
	if len(pairs) > 1 {
		out.add(" each")
	}
}

// addConfusion names one confusion of a variant, as "expected → predicted", with a link to its
// cases.
func (out *Sentence) addConfusion(variant string, p eval.ConfusedPair) {
	out.addName(p.Expected)
	out.add(" → ")
	out.addName(p.Predicted)
	out.linkCases(CaseFilter{Variant: variant, Expected: p.Expected, Predicted: p.Predicted}, 3)
}

const minConfusions = 3

const maxTied = 2

// topConfusions returns the most frequent confusion of a condition, or two that are equally
// frequent. It returns nil if they are rare or if more than two are equally frequent.
func topConfusions(c eval.ConditionSummary) []eval.ConfusedPair {
	list := betweenLabels(c)
	if len(list) == 0 || list[0].N < minConfusions {
		return nil
	}
	n := 1
	for n < len(list) && list[n].N == list[0].N {
		n++
	}
	if n > maxTied {
		return nil
	}
	return list[:n]
}

// betweenLabels returns the confusions of a condition, except answers with an invalid label.
func betweenLabels(c eval.ConditionSummary) []eval.ConfusedPair {
	return slices.DeleteFunc(slices.Clone(c.ConfusedPairs),
		func(p eval.ConfusedPair) bool { return IsInvalidLabel(c, p.Predicted) })
}

// row returns how often each label was predicted for an expected label.
func row(c eval.ConditionSummary, expected string) map[string]int64 {
	counts := map[string]int64{}
	if c.Confusion == nil {
		return counts
	}
	at := slices.Index(c.Confusion.Labels, expected)
	if at < 0 || at >= len(c.Confusion.Counts) {
		return counts
	}
	for i, n := range c.Confusion.Counts[at] {
		counts[c.Confusion.Labels[i]] += n
	}
	return counts
}

// ExampleCase returns the id of a case that is worth reading and the variant to read. It prefers a
// case with the most frequent confusion of the best variant, then one in which this variant differs
// from the baseline variant. The variant is "" if there is no such case.
func ExampleCase(s eval.SuiteSummary) (id, variant string) {
	ranked := RankedByAccuracy(s)
	if len(ranked) == 0 {
		return "", ""
	}
	best := ranked[0]
	for _, p := range slices.Concat(betweenLabels(best), best.ConfusedPairs) {
		if len(p.Cases) > 0 {
			return p.Cases[0], best.Variant
		}
	}
	d, _ := Difference(s, best.Variant, BaselineVariant(s))
	if differ := slices.Concat(d.BrokenCases, d.FixedCases); len(differ) > 0 {
		return differ[0], best.Variant
	}
	return "", ""
}

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

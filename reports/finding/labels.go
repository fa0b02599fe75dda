package finding

import (
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/metric"
)

// topConfusion names the most frequent confusion of the best variant, compared with the baseline
// variant.
func topConfusion(s eval.SuiteSummary) values {
	ranked := RankedByAccuracy(s)
	if len(ranked) == 0 {
		return nil
	}
	best := ranked[0]
	pairs := topConfusions(best)
	if len(pairs) == 0 {
		return nil
	}
	v := values{"n": len(pairs), "confusions": confusions(best.Variant, pairs)}
	if len(pairs) > 1 {
		return v
	}
	top, of := pairs[0], int64(0)
	for _, n := range row(best, top.Expected) {
		of += n
	}
	if of > 0 { // a condition with too many labels has no matrix
		v["decisions"] = of
	}
	first, ok := conditionOf(s, BaselineVariant(s), eval.NoFault)
	if !ok || first.Variant == best.Variant {
		return v
	}
	if n := row(first, top.Expected)[top.Predicted]; n > 0 {
		cases := CaseFilter{Variant: first.Variant, Expected: top.Expected, Predicted: top.Predicted}
		v["baseline"], v["same"] = variants(first.Variant), linked(n, cases)
	} else if others := topConfusions(first); len(others) > 0 {
		v["others"] = confusions(first.Variant, others)
	}
	return v
}

// confusions names the most frequent confusions of a variant and how often each occurred. All given
// confusions are equally frequent.
func confusions(variant string, pairs []eval.ConfusedPair) clause {
	var list []clause
	for _, p := range pairs {
		pair := fill("{expected} → {predicted}", values{
			"expected":  otherNames(p.Expected),
			"predicted": otherNames(p.Predicted),
		})
		list = append(list, linked(pair, CaseFilter{Variant: variant, Expected: p.Expected, Predicted: p.Predicted}))
	}
	return fill("{variant}: {pairs}, {n}{each}", values{
		"variant": variants(variant),
		"pairs":   enumerate(list),
		"n":       pairs[0].N,
		"each":    when(len(pairs) > 1, " each"),
	})
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

// IsInvalidLabel reports whether a predicted label is the placeholder for answers without a valid
// label.
func IsInvalidLabel(c eval.ConditionSummary, predicted string) bool {
	return c.Confusion != nil && c.Confusion.InvalidLabel != "" && c.Confusion.InvalidLabel == predicted
}

// Limits for the finding on invalid labels: at least minInvalidLabels answers, and at least one in
// invalidLabelOneIn wrong answers.
const (
	minInvalidLabels  = 3
	invalidLabelOneIn = 5
)

// invalidLabels names the variant with the most invalid labels.
func invalidLabels(s eval.SuiteSummary) values {
	var worst eval.ConditionSummary
	var most, wrong int64
	for _, c := range ConditionsWithoutFault(s) {
		n, all := withoutLabel(c)
		if n >= minInvalidLabels && n*invalidLabelOneIn >= all && n > most {
			worst, most, wrong = c, n, all
		}
	}
	if most == 0 {
		return nil
	}
	text := metric.FormatInteger(most) + " of " + metric.FormatInteger(wrong)
	if most == wrong {
		text = "All " + metric.FormatInteger(wrong)
	}
	cases := CaseFilter{Variant: worst.Variant, Predicted: worst.Confusion.InvalidLabel}
	return values{"invalid": linked(text, cases), "variant": variants(worst.Variant)}
}

// withoutLabel returns how many answers of a condition have an invalid label, and how many are
// wrong. It counts turns, not cases.
func withoutLabel(c eval.ConditionSummary) (none, wrong int64) {
	if c.Confusion == nil {
		return 0, 0
	}
	for expected, row := range c.Confusion.Counts {
		for i, n := range row {
			if i == expected || i >= len(c.Confusion.Labels) {
				continue
			}
			if wrong += n; IsInvalidLabel(c, c.Confusion.Labels[i]) {
				none += n
			}
		}
	}
	return none, wrong
}

// labelsWithoutCases states how many labels macro-F1 leaves out because no case expects them. It
// names the variant with the most if the variants differ.
func labelsWithoutCases(s eval.SuiteSummary) values {
	all := ConditionsWithoutFault(s)
	lacking := slices.DeleteFunc(slices.Clone(all), func(c eval.ConditionSummary) bool {
		return c.LabelsWithoutCases == 0 || !metric.IsKnown(c.Metrics["route.macro_f1"].Value)
	})
	if len(lacking) == 0 {
		return nil
	}
	most := slices.MaxFunc(lacking,
		func(a, b eval.ConditionSummary) int { return int(a.LabelsWithoutCases - b.LabelsWithoutCases) })
	v := values{"coverage": MacroF1CoverageText(most)}
	if len(lacking) < len(all) || slices.ContainsFunc(lacking,
		func(c eval.ConditionSummary) bool { return c.LabelsWithoutCases != most.LabelsWithoutCases }) {
		v["variant"] = variants(most.Variant)
	}
	return v
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
	return fill("Macro-F1 is the mean over {covered} with cases; {others} {n:has|have} no case. "+
		"Its interval is corrected for bias", values{
		"covered": metric.Plural(n, "label"),
		"others":  metric.Plural(c.LabelsWithoutCases, "label"),
		"n":       c.LabelsWithoutCases,
	}).String()
}

// minOverconfidence is the minimum distance of the mean confidence above the upper bound of the
// accuracy. Below it, there is no finding that a model is overconfident.
const minOverconfidence = 0.05

// overconfident names the variant whose model is most overconfident. It returns nil if the cases were
// selected because they failed: a model is usually wrong in such cases.
func overconfident(s eval.SuiteSummary) values {
	if s.FailedInRun != "" {
		return nil
	}
	var worst eval.ConditionSummary
	most := minOverconfidence
	for _, c := range ConditionsWithoutFault(s) {
		if c.Confidence == nil || !metric.IsKnown(c.Confidence.Accuracy.Hi) {
			continue
		}
		if by := c.Confidence.MeanConfidence - *c.Confidence.Accuracy.Hi; by > most {
			worst, most = c, by
		}
	}
	if worst.Confidence == nil {
		return nil
	}
	return values{
		"variant":    variants(worst.Variant),
		"confidence": metric.FormatMean(worst.Confidence.MeanConfidence),
		"accuracy":   share(worst.Confidence.Accuracy),
	}
}

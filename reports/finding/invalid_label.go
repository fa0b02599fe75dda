package finding

import (
	"evalctl/eval"
	"evalctl/eval/metric"
)

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

// invalidLabels returns the finding on the variant with the most invalid labels.
func invalidLabels(s suite) *Sentence {
	var worst eval.ConditionSummary
	var most, wrong int64
	for _, c := range ConditionsWithoutFault(s.SuiteSummary) {
		n, all := withoutLabel(c)
		if n >= minInvalidLabels && n*invalidLabelOneIn >= all && n > most {
			worst = c
			most = n
			wrong = all
		}
	}
	if most == 0 {
		return nil
	}
	out := &Sentence{Kind: KindInvalidLabels}
	if most == wrong {
		out.add("All " + metric.FormatInteger(wrong))
	} else {
		out.add(metric.FormatInteger(most) + " of " + metric.FormatInteger(wrong))
	}
	out.linkCases(CaseFilter{Variant: worst.Variant, Predicted: worst.Confusion.InvalidLabel}, 1)
	out.add(" wrong answers of ")
	out.addVariants(worst.Variant)
	out.add(" are invalid labels")
	return out
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

package finding

import (
	"evalctl/eval"
	"evalctl/eval/number"
)

// IsNoLabel reports whether a prediction represents an invalid label.
func IsNoLabel(c eval.ConditionSummary, predicted string) bool {
	return c.Confusion != nil && c.Confusion.InvalidLabel != "" && c.Confusion.InvalidLabel == predicted
}

// Invalid labels are reported from leastNoLabel answers on, if at least one in noLabelOneIn wrong
// answers has one.
const (
	leastNoLabel = 3
	noLabelOneIn = 5
)

// noLabel reports the variant with the most invalid labels.
func noLabel(s suite) *Sentence {
	var worst eval.ConditionSummary
	var most, wrong int64
	for _, c := range FaultFree(s.SuiteSummary) {
		n, all := withoutLabel(c)
		if n >= leastNoLabel && n*noLabelOneIn >= all && n > most {
			worst, most, wrong = c, n, all
		}
	}
	if most == 0 {
		return nil
	}
	out := &Sentence{Kind: NoLabel}
	if most == wrong {
		out.say("All " + number.Thousands(wrong))
	} else {
		out.say(number.Thousands(most) + " of " + number.Thousands(wrong))
	}
	out.of(Cases{Variant: worst.Name, Got: worst.Confusion.InvalidLabel}, 1)
	out.say(" wrong answers of ")
	out.variants(worst.Name)
	out.say(" are invalid labels")
	return out
}

// withoutLabel counts the answers of a condition with an invalid label, and all wrong answers. Both
// are counted by turn.
func withoutLabel(c eval.ConditionSummary) (none, wrong int64) {
	if c.Confusion == nil {
		return 0, 0
	}
	for expected, row := range c.Confusion.Counts {
		for i, n := range row {
			if i == expected || i >= len(c.Confusion.Labels) {
				continue
			}
			if wrong += n; IsNoLabel(c, c.Confusion.Labels[i]) {
				none += n
			}
		}
	}
	return none, wrong
}

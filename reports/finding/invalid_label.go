package finding

import (
	"evalctl/eval"
	"evalctl/eval/number"
)

// IsNoLabel tells what was predicted where an answer was none of the labels.
func IsNoLabel(c eval.ConditionSummary, predicted string) bool {
	return c.Confusion != nil && c.Confusion.InvalidLabel != "" && c.Confusion.InvalidLabel == predicted
}

// A variant's answers that are no label are told from so many on, where they are at
// least one in so many of its wrong ones.
const (
	leastNoLabel = 3
	noLabelOneIn = 5
)

// noLabel says whose wrong answers are none of the labels, where many are.
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

// withoutLabel counts a cell's answers that are none of the labels, and all that are
// wrong, both by turn.
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

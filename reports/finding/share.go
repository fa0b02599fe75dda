package finding

import (
	"math"

	"evalctl/eval"
	"evalctl/eval/number"
)

// minPercentSample is the minimum number of trials for a percentage.
const minPercentSample = 20

// IsSmallSample reports whether a proportion must be shown as counts: it covers few trials, or most
// trials are unscored.
func IsSmallSample(e eval.Estimate) bool {
	return max(e.Cases, 0) > 0 && e.Cases < minPercentSample || e.N < minPercentSample || e.Missing > e.N
}

// Share formats a proportion as "95.5 %", or as "6 of 6" in a small sample.
func Share(e eval.Estimate) string {
	switch {
	case !number.IsKnown(e.Value):
		return number.Missing
	case IsSmallSample(e):
		return Counts(e)
	}
	return number.Share(*e.Value)
}

// Counts formats a proportion as "6 of 6".
func Counts(e eval.Estimate) string {
	return number.Thousands(Count(e)) + " of " + number.Thousands(e.N)
}

// Count is the numerator of a proportion.
func Count(e eval.Estimate) int64 {
	if !number.IsKnown(e.Value) {
		return 0
	}
	return int64(math.Round(*e.Value * float64(e.N)))
}

// share formats a proportion with its denominator, and the number of cases if there are several
// epochs.
func share(e eval.Estimate) string {
	text := Counts(e)
	if !IsSmallSample(e) {
		text = number.Share(*e.Value) + " of " + number.Thousands(e.N)
	}
	if e.Cases > 0 && e.Cases < e.N {
		text += " (" + number.Plural(e.Cases, "case") + ")"
	}
	return text
}

// missingShare counts the unscored trials of a condition, and all. If decisions are not scored, it
// counts the trials without an answer.
func missingShare(c eval.ConditionSummary) (lost, of int64) {
	if e := c.Metrics[accuracy]; e.N+e.Missing > 0 {
		return e.Missing, e.N + e.Missing
	}
	e := c.Metrics["missing.rate"]
	return Count(e), e.N
}

// tolerableMissing is the share of unscored trials above which metrics are marked as unreliable.
const tolerableMissing = 0.05

func hasMissing(c eval.ConditionSummary) bool {
	lost, of := missingShare(c)
	return float64(lost) > tolerableMissing*float64(of)
}

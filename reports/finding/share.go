package finding

import (
	"math"

	"evalctl/eval"
	"evalctl/eval/metric"
)

// minPercentSample is the minimum number of trials for which a share is shown as a percentage.
const minPercentSample = 20

// IsSmallSample reports whether a share must be shown as counts, because it covers few trials or
// most trials are unscored.
func IsSmallSample(e eval.Estimate) bool {
	return max(e.Cases, 0) > 0 && e.Cases < minPercentSample || e.N < minPercentSample || e.Missing > e.N
}

// FormatShare formats a share as "95.5 %", or as "6 of 6" for a small sample.
func FormatShare(e eval.Estimate) string {
	switch {
	case !metric.IsKnown(e.Value):
		return metric.MissingText
	case IsSmallSample(e):
		return FormatCounts(e)
	}
	return metric.FormatShare(*e.Value)
}

// FormatCounts formats a share as counts, such as "6 of 6".
func FormatCounts(e eval.Estimate) string {
	return metric.FormatInteger(Numerator(e)) + " of " + metric.FormatInteger(e.N)
}

// Numerator returns the numerator of a share.
func Numerator(e eval.Estimate) int64 {
	if !metric.IsKnown(e.Value) {
		return 0
	}
	return int64(math.Round(*e.Value * float64(e.N)))
}

// share formats a share with its denominator. With several epochs it adds the number of cases.
func share(e eval.Estimate) string {
	text := FormatCounts(e)
	if !IsSmallSample(e) {
		text = metric.FormatShare(*e.Value) + " of " + metric.FormatInteger(e.N)
	}
	if e.Cases > 0 && e.Cases < e.N {
		text += " (" + metric.Plural(e.Cases, "case") + ")"
	}
	return text
}

// missingShare returns how many trials of a condition are unscored, and how many trials there are.
// If the suite scores no decisions, it counts trials without an answer.
func missingShare(c eval.ConditionSummary) (lost, of int64) {
	if e := c.Metrics[accuracy]; e.N+e.Missing > 0 {
		return e.Missing, e.N + e.Missing
	}
	e := c.Metrics["missing.rate"]
	return Numerator(e), e.N
}

// tolerableMissing is the share of unscored trials above which a finding warns that the metrics are
// unreliable.
const tolerableMissing = 0.05

func hasMissing(c eval.ConditionSummary) bool {
	lost, of := missingShare(c)
	return float64(lost) > tolerableMissing*float64(of)
}

package finding

import (
	"math"

	"evalctl/eval"
	"evalctl/eval/number"
)

// few is how many trials a percentage needs to be one.
const few = 20

// IsSmallSample tells a share that is to be shown as counts: a percentage of so little,
// or of what is left where most has no verdict, says more than it knows.
func IsSmallSample(e eval.Estimate) bool {
	return max(e.Cases, 0) > 0 && e.Cases < few || e.N < few || e.Missing > e.N
}

// Share shows a proportion, as 95.5 %, or as 6 of 6 where it is of few.
func Share(e eval.Estimate) string {
	switch {
	case !number.IsKnown(e.Value):
		return number.None
	case IsSmallSample(e):
		return Counts(e)
	}
	return number.Share(*e.Value)
}

// Counts shows how many of how many a proportion is.
func Counts(e eval.Estimate) string {
	return number.Thousands(Count(e)) + " of " + number.Thousands(e.N)
}

// Count is how many of a proportion's trials have what it counts.
func Count(e eval.Estimate) int64 {
	if !number.IsKnown(e.Value) {
		return 0
	}
	return int64(math.Round(*e.Value * float64(e.N)))
}

// share says a proportion with its denominator, and of how many cases it is
// where epochs make these fewer.
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

// missingShare is the share of a cell's trials that have no verdict, or no answer where
// decisions are not judged.
func missingShare(c eval.ConditionSummary) (lost, of int64) {
	if e := c.Metrics[accuracy]; e.N+e.Missing > 0 {
		return e.Missing, e.N + e.Missing
	}
	e := c.Metrics["missing.rate"]
	return Count(e), e.N
}

// tolerable is the share that may lack a verdict before numbers are doubted.
const tolerable = 0.05

func lacking(c eval.ConditionSummary) bool {
	lost, of := missingShare(c)
	return float64(lost) > tolerable*float64(of)
}

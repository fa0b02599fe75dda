package reports

import (
	"strconv"

	"evalctl/eval"
	"evalctl/eval/number"
)

const unmeasured = number.None

func known(v *float64) bool { return number.IsKnown(v) }

// estimate formats a value with its interval; show formats each number.
func estimate(e eval.Estimate, show func(float64) string, unit string) string {
	if !known(e.Value) {
		return unmeasured
	}
	return show(*e.Value) + unit + span(e.Lo, e.Hi, show)
}

// span formats an interval. Only one bound is shown if the other is unknown.
func span(lo, hi *float64, show func(float64) string) string {
	switch {
	case known(lo) && known(hi):
		return " [" + show(*lo) + ", " + show(*hi) + "]"
	case known(lo):
		return " [≥ " + show(*lo) + "]"
	case known(hi):
		return " [≤ " + show(*hi) + "]"
	}
	return ""
}

// rate formats a proportion with its interval and its denominator.
func rate(e eval.Estimate) string {
	text := estimate(e, percent, " %")
	if text == unmeasured {
		return text
	}
	return text + " n=" + grouped(e.N)
}

// complete formats a rate over complete cases, and the number of incomplete ones.
func complete(e eval.Estimate) string { return besidesLost(e, rate(e), "incomplete") }

// judged formats a rate over scored items, and the number of unscored ones.
func judged(e eval.Estimate) string { return besidesLost(e, rate(e), "unscored") }

// outOf appends the denominator and the number of missing items to a value.
func outOf(e eval.Estimate, value, lost string) string {
	if value == unmeasured {
		return value
	}
	return besidesLost(e, value+" n="+grouped(e.N), lost)
}

func besidesLost(e eval.Estimate, text, lost string) string {
	if e.Missing > 0 {
		text += ", " + grouped(e.Missing) + " " + lost
	}
	return text
}

// missing formats the number of unscored trials.
func missing(e eval.Estimate) string {
	if e.N+e.Missing == 0 {
		return unmeasured
	}
	return grouped(e.Missing)
}

// bounds formats the range that missing items allow for a proportion: its value if all of them were
// wrong, and if all were right.
func bounds(e eval.Estimate) string {
	if !known(e.WorstCase) || !known(e.BestCase) {
		return unmeasured
	}
	return percent(*e.WorstCase) + "–" + percent(*e.BestCase) + " %"
}

func inPoints(e eval.Estimate) string {
	return besidesLost(e, estimate(e, number.Points, ""), "unscored")
}

// duration formats a duration with its interval in the same unit.
func duration(e eval.Estimate) string {
	if !known(e.Value) {
		return unmeasured
	}
	return number.Time(*e.Value) + span(e.Lo, e.Hi, number.TimeIn(*e.Value))
}

func score(e eval.Estimate) string { return estimate(e, three, "") }
func mean(e eval.Estimate) string  { return estimate(e, two, "") }
func whole(e eval.Estimate) string { return estimate(e, rounded, "") }

// usd formats an amount with six decimals, because amounts are often fractions of a cent.
func usd(e eval.Estimate) string {
	return estimate(e, func(v float64) string { return strconv.FormatFloat(v, 'f', 6, 64) }, "")
}

func three(v float64) string { return number.Score(v) }
func two(v float64) string   { return number.Mean(v) }

func rounded(v float64) string { return number.Round(v) }

func percent(v float64) string { return number.Percent(v) }

func grouped(n int64) string              { return number.Thousands(n) }
func counted(n int64, noun string) string { return number.Plural(n, noun) }

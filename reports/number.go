package reports

import (
	"strconv"

	"evalctl/eval"
	"evalctl/eval/number"
)

const unmeasured = number.None

func known(v *float64) bool { return number.IsKnown(v) }

// estimate shows a value with its interval, each number as show has it.
func estimate(e eval.Estimate, show func(float64) string, unit string) string {
	if !known(e.Value) {
		return unmeasured
	}
	return show(*e.Value) + unit + span(e.Lo, e.Hi, show)
}

// span shows an interval; of one that is known to one side only, that side.
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

// rate shows a proportion with its interval and its denominator.
func rate(e eval.Estimate) string {
	text := estimate(e, percent, " %")
	if text == unmeasured {
		return text
	}
	return text + " n=" + grouped(e.N)
}

// complete shows a rate of complete cases, and how many cases are not.
func complete(e eval.Estimate) string { return besidesLost(e, rate(e), "incomplete") }

// judged shows a rate that is not of all, and of how many it is not.
func judged(e eval.Estimate) string { return besidesLost(e, rate(e), "unscored") }

// outOf has a value's denominator beside it, and how many are lost.
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

// missing shows how many trials could not be judged.
func missing(e eval.Estimate) string {
	if e.N+e.Missing == 0 {
		return unmeasured
	}
	return grouped(e.Missing)
}

// bounds shows what the missing ones can do to a proportion: its value if all
// of them were wrong, and if all were right.
func bounds(e eval.Estimate) string {
	if !known(e.WorstCase) || !known(e.BestCase) {
		return unmeasured
	}
	return percent(*e.WorstCase) + "–" + percent(*e.BestCase) + " %"
}

func inPoints(e eval.Estimate) string {
	return besidesLost(e, estimate(e, number.Points, ""), "unscored")
}

// duration shows a time, and its interval in the same unit.
func duration(e eval.Estimate) string {
	if !known(e.Value) {
		return unmeasured
	}
	return number.Time(*e.Value) + span(e.Lo, e.Hi, number.TimeIn(*e.Value))
}

func score(e eval.Estimate) string { return estimate(e, three, "") }
func mean(e eval.Estimate) string  { return estimate(e, two, "") }
func whole(e eval.Estimate) string { return estimate(e, rounded, "") }

// usd shows what is often a fraction of a cent.
func usd(e eval.Estimate) string {
	return estimate(e, func(v float64) string { return strconv.FormatFloat(v, 'f', 6, 64) }, "")
}

func three(v float64) string { return number.Score(v) }
func two(v float64) string   { return number.Mean(v) }

func rounded(v float64) string { return number.Round(v) }

func percent(v float64) string { return number.Percent(v) }

func grouped(n int64) string              { return number.Thousands(n) }
func counted(n int64, noun string) string { return number.Plural(n, noun) }

package reports

import (
	"strconv"

	"evalctl/eval"
	"evalctl/eval/metric"
)

const noValue = metric.MissingText

func isKnown(v *float64) bool { return metric.IsKnown(v) }

// estimate formats a value with its unit and its confidence interval; show formats each number. It
// returns [noValue] if the value is unknown.
func estimate(e eval.Estimate, show func(float64) string, unit string) string {
	if !isKnown(e.Value) {
		return noValue
	}
	return show(*e.Value) + unit + span(e.Lo, e.Hi, show)
}

// span formats a confidence interval as " [lo, hi]". If one bound is unknown, it shows only the
// other, as "≥" or "≤".
func span(lo, hi *float64, show func(float64) string) string {
	switch {
	case isKnown(lo) && isKnown(hi):
		return " [" + show(*lo) + ", " + show(*hi) + "]"
	case isKnown(lo):
		return " [≥ " + show(*lo) + "]"
	case isKnown(hi):
		return " [≤ " + show(*hi) + "]"
	}
	return ""
}

// rateText formats a rate as a percentage with its confidence interval and its denominator, such as
// "91.0 % [88.1, 93.2] n=400".
func rateText(e eval.Estimate) string {
	text := estimate(e, percent, " %")
	if text == noValue {
		return text
	}
	return text + " n=" + thousands(e.N)
}

// completeRate formats a rate over the cases in which all epochs are scored, and the number of the
// other cases.
func completeRate(e eval.Estimate) string { return withMissing(e, rateText(e), "incomplete") }

// scoredRate formats a rate over scored items, followed by the number of unscored items.
func scoredRate(e eval.Estimate) string { return withMissing(e, rateText(e), "unscored") }

// withDenominator appends the denominator and the number of missing items to a formatted value.
// missingWord is the word for them, such as "unscored".
func withDenominator(e eval.Estimate, value, missingWord string) string {
	if value == noValue {
		return value
	}
	return withMissing(e, value+" n="+thousands(e.N), missingWord)
}

func withMissing(e eval.Estimate, text, missingWord string) string {
	if e.Missing > 0 {
		text += ", " + thousands(e.Missing) + " " + missingWord
	}
	return text
}

func unscoredCount(e eval.Estimate) string {
	if e.N+e.Missing == 0 {
		return noValue
	}
	return thousands(e.Missing)
}

// worstToBest formats the range in which a rate can be if items are missing: from its value if all
// of them were wrong to its value if all were right.
func worstToBest(e eval.Estimate) string {
	if !isKnown(e.WorstCase) || !isKnown(e.BestCase) {
		return noValue
	}
	return percent(*e.WorstCase) + "–" + percent(*e.BestCase) + " %"
}

func inPoints(e eval.Estimate) string {
	return withMissing(e, estimate(e, metric.FormatPoints, ""), "unscored")
}

func duration(e eval.Estimate) string {
	if !isKnown(e.Value) {
		return noValue
	}
	return metric.FormatTime(*e.Value) + span(e.Lo, e.Hi, metric.TimeFormatter(*e.Value))
}

func scoreText(e eval.Estimate) string       { return estimate(e, formatScore, "") }
func meanText(e eval.Estimate) string        { return estimate(e, formatMean, "") }
func roundedEstimate(e eval.Estimate) string { return estimate(e, rounded, "") }

// usd formats an amount of US dollars with six decimals, because amounts are often fractions of a
// cent.
func usd(e eval.Estimate) string {
	return estimate(e, func(v float64) string { return strconv.FormatFloat(v, 'f', 6, 64) }, "")
}

func formatScore(v float64) string { return metric.FormatScore(v) }
func formatMean(v float64) string  { return metric.FormatMean(v) }

func rounded(v float64) string { return metric.FormatRounded(v) }

func percent(v float64) string { return metric.FormatPercent(v) }

func thousands(n int64) string           { return metric.FormatInteger(n) }
func plural(n int64, noun string) string { return metric.Plural(n, noun) }

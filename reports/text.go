package reports

import (
	"cmp"
	"strconv"

	"evalctl/agent/text"
	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/reports/document"
	"evalctl/reports/finding"
)

func columnsOf(s string) int               { return text.DisplayWidth(s) }
func clean(s string) string                { return text.EscapeLine(s) }
func shorten(s string, n int) string       { return text.Truncate(s, n) }
func shortenMiddle(s string, n int) string { return text.TruncateMiddle(s, n) }
func wrap(s string, n int) []string        { return text.Wrap(s, n) }
func pad(s string, n int) string           { return text.PadRight(s, n) }
func padLeft(s string, n int) string       { return text.PadLeft(s, n) }

const ellipsis = text.Ellipsis

// named returns a label as one line of visible text, with a placeholder for the empty label. JSON
// and CSV contain the unchanged label.
func named(label string) string { return text.EscapeLabel(label) }

func fault(c eval.ConditionSummary) string { return cmp.Or(c.Fault, eval.NoFault) }

func title(c eval.ConditionSummary) string {
	if fault(c) == eval.NoFault {
		return c.Variant
	}
	return c.Variant + " + " + c.Fault
}

// shortKey returns the name of condition i for a table row. It omits the variant if the row above
// has the same.
func shortKey(conditions []eval.ConditionSummary, i int) string {
	if i > 0 && conditions[i-1].Variant == conditions[i].Variant && fault(conditions[i]) != eval.NoFault {
		return "+ " + conditions[i].Fault
	}
	return title(conditions[i])
}

// nameIn returns the name of a variant. If the report has several suites, the name starts with the
// suite.
func nameIn(r Report, suite, variant string) string {
	if len(r.Summary.Suites) > 1 {
		return named(suite) + " · " + named(variant)
	}
	return named(variant)
}

const noValue = metric.MissingText

func isKnown(v *float64) bool { return metric.IsKnown(v) }

func nonzero(e eval.Estimate) bool { return isKnown(e.Value) && *e.Value != 0 }

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

// scoredRate formats a rate over scored items, followed by the number of unscored items.
func scoredRate(e eval.Estimate) string { return withMissing(e, rateText(e), "unscored") }

func withMissing(e eval.Estimate, text, missingWord string) string {
	if e.Missing > 0 {
		text += ", " + thousands(e.Missing) + " " + missingWord
	}
	return text
}

func duration(e eval.Estimate) string { return quantileInterval("", e) }

// quantileInterval formats a quantile of times with its interval; statistic is its name, such as "p95".
func quantileInterval(statistic string, e eval.Estimate) string {
	if !isKnown(e.Value) {
		return noValue
	}
	return metric.FormatQuantile(statistic, e) + span(e.Lo, e.Hi, metric.TimeFormatter(*e.Value))
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

// signed formats a number with its sign; show formats its absolute value. It returns "0" for 0.
func signed(v float64, show func(float64) string) string {
	switch {
	case v < 0:
		return "−" + show(-v)
	case v > 0:
		return "+" + show(v)
	}
	return "0"
}

// countOrEmpty formats a count, but returns "" for 0, so that the other counts are easy to see.
func countOrEmpty(n int64) string {
	if n == 0 {
		return ""
	}
	return thousands(n)
}

// The functions below return cells with a text for readers and the value for CSV and JSON.

func nameValue(name string) document.Cell { return document.Cell{Text: named(name), Value: name} }
func countValue(n int64) document.Cell    { return document.Cell{Text: thousands(n), Value: n} }
func nonzeroValue(n int64) document.Cell  { return document.Cell{Text: countOrEmpty(n), Value: n} }
func textValue(text string) document.Cell { return document.Cell{Text: text, Value: text} }

// shareValue formats a rate with its confidence interval. For a small sample, it formats counts
// such as "3 of 4".
func shareValue(e eval.Estimate) document.Cell {
	text := finding.FormatShare(e)
	if !finding.IsSmallSample(e) && isKnown(e.Value) {
		text += span(e.Lo, e.Hi, percent)
	}
	return document.Cell{Text: text, Value: e}
}

// shareOnlyValue formats a rate without its confidence interval.
func shareOnlyValue(e eval.Estimate) document.Cell {
	return document.Cell{Text: finding.FormatShare(e), Value: e}
}

// estimateValue formats the value of an estimate without its confidence interval; show formats the
// number.
func estimateValue(e eval.Estimate, show func(float64) string) document.Cell {
	if !isKnown(e.Value) {
		return document.Cell{Text: noValue, Value: e}
	}
	return document.Cell{Text: show(*e.Value), Value: e}
}

// quantileValue returns a cell with a quantile of times; statistic is its name, such as "p95".
func quantileValue(statistic string, e eval.Estimate) document.Cell {
	return document.Cell{Text: quantile(statistic, e), Value: e}
}

// quantile formats a quantile of times without its interval.
func quantile(statistic string, e eval.Estimate) string {
	if !isKnown(e.Value) {
		return noValue
	}
	return metric.FormatQuantile(statistic, e)
}

func perThousand(usd float64) string { return metric.FormatUSD(1000 * usd) }

// sentenceLines returns findings as lines, with their variant names in bold. The mark is "!" for a
// warning and otherwise "·".
func sentenceLines(found []finding.Sentence) (list []document.Line) {
	for _, f := range found {
		l := document.Line{Mark: "·"}
		if f.IsWarning() {
			l.Mark, l.Tone = "!", document.Warn
		}
		for _, p := range f.ShownParts(true) {
			l.Parts = append(l.Parts, partOf(p))
		}
		list = append(list, l)
	}
	return list
}

func partOf(p finding.SentencePart) document.Part {
	switch p.Role {
	case finding.VariantName:
		return document.Part{Text: named(p.Text), Tone: document.Strong}
	case finding.OtherName:
		return document.Part{Text: named(p.Text)}
	}
	return document.Part{Text: p.Text}
}

package reports

import (
	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/reports/document"
	"evalctl/reports/finding"
)

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

func perThousand(usd float64) string { return metric.FormatUSD(1000 * usd) }

package reports

import (
	"evalctl/eval"
	"evalctl/eval/number"
	"evalctl/reports/finding"
)

// The functions below return cells with a text for readers and the value for CSV and JSON.

func nameValue(name string) cell { return cell{text: named(name), value: name} }
func countValue(n int64) cell    { return cell{text: thousands(n), value: n} }
func nonzeroValue(n int64) cell  { return cell{text: countOrEmpty(n), value: n} }
func textValue(text string) cell { return cell{text: text, value: text} }

// shareValue formats a rate with its confidence interval. For a small sample, it formats counts
// such as "3 of 4".
func shareValue(e eval.Estimate) cell {
	text := finding.FormatShare(e)
	if !finding.IsSmallSample(e) && isKnown(e.Value) {
		text += span(e.Lo, e.Hi, percent)
	}
	return cell{text: text, value: e}
}

// shareOnlyValue formats a rate without its confidence interval.
func shareOnlyValue(e eval.Estimate) cell { return cell{text: finding.FormatShare(e), value: e} }

// estimateValue formats the value of an estimate without its confidence interval; show formats the
// number.
func estimateValue(e eval.Estimate, show func(float64) string) cell {
	if !isKnown(e.Value) {
		return cell{text: noValue, value: e}
	}
	return cell{text: show(*e.Value), value: e}
}

func perThousand(usd float64) string { return number.USD(1000 * usd) }

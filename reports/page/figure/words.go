package figure

import (
	"html/template"
	"strings"

	"evalctl/eval"
	"evalctl/eval/number"
	"evalctl/reports/finding"
)

// word is a piece of the text next to a plot.
type word struct {
	Text   string
	Link   string // URL; "": none
	Strong bool
	Mute   bool
	Wrong  bool // in the color of errors
	Line   bool // starts on a new line
}

// said renders words.
func said(words ...word) template.HTML { return fragment("said", words) }

// estimated formats a value with its interval; show formats each number. It returns nil if the
// value is unknown.
func estimated(e eval.Estimate, show func(float64) string, unit string) []word {
	if !number.IsKnown(e.Value) {
		return nil
	}
	return []word{{Text: minus(show(*e.Value)) + unit, Strong: true}, {Text: interval(e.Lo, e.Hi, show), Mute: true}}
}

// valued formats a value without its interval.
func valued(e eval.Estimate, show func(float64) string, unit string) []word {
	e.Lo, e.Hi = nil, nil
	return estimated(e, show, unit)
}

// duration formats a duration with its interval in the same unit.
func duration(e eval.Estimate) []word {
	if !number.IsKnown(e.Value) {
		return nil
	}
	return []word{{Text: number.Time(*e.Value), Strong: true}, {Text: interval(e.Lo, e.Hi, number.TimeIn(*e.Value)), Mute: true}}
}

// shared formats a share with its interval, or as counts for a small sample.
func shared(e eval.Estimate) []word {
	if !number.IsKnown(e.Value) || !finding.IsSmallSample(e) {
		return estimated(e, number.Percent, " %")
	}
	return []word{{Text: finding.Counts(e), Strong: true}, {Text: interval(e.Lo, e.Hi, number.Percent), Mute: true}}
}

// interval formats " [lo, hi]", or one bound if the other is unknown. It returns "" if both bounds
// are 0.
func interval(lo, hi *float64, show func(float64) string) string {
	switch {
	case number.IsKnown(lo) && number.IsKnown(hi) && *lo == 0 && *hi == 0:
		return ""
	case number.IsKnown(lo) && number.IsKnown(hi):
		return " [" + minus(show(*lo)) + ", " + minus(show(*hi)) + "]"
	case number.IsKnown(lo):
		return " [≥ " + minus(show(*lo)) + "]"
	case number.IsKnown(hi):
		return " [≤ " + minus(show(*hi)) + "]"
	}
	return ""
}

// minus replaces a hyphen by a minus sign, which is as wide as a plus sign.
func minus(figure string) string { return strings.Replace(figure, "-", "−", 1) }

// lost formats the number of missing values; empty if there are none.
func lost(e eval.Estimate, what string) word {
	if e.Missing == 0 {
		return word{}
	}
	return word{Text: ", " + number.Thousands(e.Missing) + " " + what, Mute: true}
}

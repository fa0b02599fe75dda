package figure

import (
	"html/template"
	"strings"

	"evalctl/eval"
	"evalctl/eval/number"
	"evalctl/reports/finding"
)

// word is a piece of what stands beside a plot.
type word struct {
	Text   string
	Link   string // an address; "": none
	Strong bool
	Mute   bool
	Wrong  bool // in the colour of what is wrong
	Line   bool // begins a line
}

// said is a value in words.
func said(words ...word) template.HTML { return fragment("said", words) }

// estimated is a value with its interval, each number as show has it; no words where there
// is none.
func estimated(e eval.Estimate, show func(float64) string, unit string) []word {
	if !number.IsKnown(e.Value) {
		return nil
	}
	return []word{{Text: minus(show(*e.Value)) + unit, Strong: true}, {Text: interval(e.Lo, e.Hi, show), Mute: true}}
}

// valued is a value without its interval.
func valued(e eval.Estimate, show func(float64) string, unit string) []word {
	e.Lo, e.Hi = nil, nil
	return estimated(e, show, unit)
}

// duration is a time, and its interval in the same unit.
func duration(e eval.Estimate) []word {
	if !number.IsKnown(e.Value) {
		return nil
	}
	return []word{{Text: number.Time(*e.Value), Strong: true}, {Text: interval(e.Lo, e.Hi, number.TimeIn(*e.Value)), Mute: true}}
}

// shared is a share with its interval, or counts of few.
func shared(e eval.Estimate) []word {
	if !number.IsKnown(e.Value) || !finding.IsSmallSample(e) {
		return estimated(e, number.Percent, " %")
	}
	return []word{{Text: finding.Counts(e), Strong: true}, {Text: interval(e.Lo, e.Hi, number.Percent), Mute: true}}
}

// interval is a blank and [lo, hi]; of one that is known to one side only, that side. From
// nothing to nothing it says nothing.
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

// minus writes a figure with a sign that is as wide as plus.
func minus(figure string) string { return strings.Replace(figure, "-", "−", 1) }

// lost says how many values are missing, where some are.
func lost(e eval.Estimate, what string) word {
	if e.Missing == 0 {
		return word{}
	}
	return word{Text: ", " + number.Thousands(e.Missing) + " " + what, Mute: true}
}

package page

import (
	"html/template"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/reports/finding"
)

// textPart is a piece of the text next to a plot, with its emphasis.
type textPart struct {
	Text   string
	Link   string // URL; "": no link
	Strong bool
	Mute   bool
	Wrong  bool // shown in the color of errors
	Line   bool // starts on a new line
}

// renderText renders pieces of text as HTML.
func renderText(words ...textPart) template.HTML { return fragment("said", words) }

// estimateText formats a value with its confidence interval; show formats each number. It returns
// nil if the value is unknown.
func estimateText(e eval.Estimate, show func(float64) string, unit string) []textPart {
	if !metric.IsKnown(e.Value) {
		return nil
	}
	return []textPart{{Text: minus(show(*e.Value)) + unit, Strong: true},
		{Text: interval(e.Lo, e.Hi, show), Mute: true}}
}

func valueText(e eval.Estimate, show func(float64) string, unit string) []textPart {
	e.Lo, e.Hi = nil, nil
	return estimateText(e, show, unit)
}

// durationText formats a duration with its confidence interval, both in the same unit.
func durationText(e eval.Estimate) []textPart {
	if !metric.IsKnown(e.Value) {
		return nil
	}
	return []textPart{{Text: metric.FormatTime(*e.Value), Strong: true},
		{Text: interval(e.Lo, e.Hi, metric.TimeFormatter(*e.Value)), Mute: true}}
}

// shareText formats a share with its confidence interval. For a small sample, it formats the share
// as counts.
func shareText(e eval.Estimate) []textPart {
	if !metric.IsKnown(e.Value) || !finding.IsSmallSample(e) {
		return estimateText(e, metric.FormatPercent, " %")
	}
	return []textPart{{Text: finding.FormatCounts(e), Strong: true},
		{Text: interval(e.Lo, e.Hi, metric.FormatPercent), Mute: true}}
}

// interval formats a confidence interval as " [lo, hi]", or only one bound if the other is unknown.
// It returns "" if both bounds are 0.
func interval(lo, hi *float64, show func(float64) string) string {
	switch {
	case metric.IsKnown(lo) && metric.IsKnown(hi) && *lo == 0 && *hi == 0:
		return ""
	case metric.IsKnown(lo) && metric.IsKnown(hi):
		return " [" + minus(show(*lo)) + ", " + minus(show(*hi)) + "]"
	case metric.IsKnown(lo):
		return " [≥ " + minus(show(*lo)) + "]"
	case metric.IsKnown(hi):
		return " [≤ " + minus(show(*hi)) + "]"
	}
	return ""
}

// minus replaces a leading hyphen with a minus sign, which is as wide as a plus sign.
func minus(figure string) string { return strings.Replace(figure, "-", "−", 1) }

// missingPart returns the text for the number of missing values, such as ", 3 unscored". It is
// empty if there are none.
func missingPart(e eval.Estimate, what string) textPart {
	if e.Missing == 0 {
		return textPart{}
	}
	return textPart{Text: ", " + metric.FormatInteger(e.Missing) + " " + what, Mute: true}
}

// table is an HTML table with column heads. The first column contains the names of the rows.
type table struct {
	AriaLabel string
	Heads     []string
	Rows      []tableRow
	Left      string // note on the rows that the table omits; "": it is complete
}

type tableRow struct {
	Name  string
	First bool            // first row of a group, which has a line above
	Cells []template.HTML // "": unknown
}

// HTML renders the table. It omits columns without values.
func (t table) HTML() template.HTML {
	for i := len(t.Heads) - 1; i > 0; i-- {
		if slices.ContainsFunc(t.Rows, func(r tableRow) bool { return r.Cells[i-1] != "" }) {
			continue
		}
		t.Heads = slices.Delete(slices.Clone(t.Heads), i, i+1)
		for j := range t.Rows {
			t.Rows[j].Cells = slices.Delete(slices.Clone(t.Rows[j].Cells), i-1, i)
		}
	}
	for _, r := range t.Rows {
		for i, c := range r.Cells {
			if c == "" {
				r.Cells[i] = metric.MissingText
			}
		}
	}
	return fragment("table", t)
}

// mergeEqualRows merges rows that differ only in their names.
func (t table) mergeEqualRows() table {
	var rows []tableRow
	var names [][]string
	for _, r := range t.Rows {
		at := slices.IndexFunc(rows, func(one tableRow) bool { return slices.Equal(one.Cells, r.Cells) })
		if at < 0 {
			at, rows, names = len(rows), append(rows, r), append(names, nil)
		}
		names[at] = append(names[at], r.Name)
		rows[at].Name = joinNames(names[at])
	}
	t.Rows = rows
	return t
}

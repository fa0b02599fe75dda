package page

import (
	"fmt"
	"html/template"
	"reflect"
	"slices"

	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/reports/finding"
)

// maxMiddleRanges is the maximum number of groups for the cases that are right in some epochs, but
// not in all.
const maxMiddleRanges = 8

// epochRange counts the cases that are right in From to To epochs.
type epochRange struct {
	From, To int
	N        int64
}

// Epochs renders in how many of its epochs each case is right. It returns "" for a run with one
// epoch.
func Epochs(s eval.SuiteSummary, of *SuiteDistribution) template.HTML {
	var conditions []eval.ConditionSummary
	for _, c := range faultFree(s) {
		if e := of.Variant(c.Variant).Epochs; e.Cases()+e.UnscoredCases > 0 {
			conditions = append(conditions, c)
		}
	}
	if len(conditions) == 0 {
		return ""
	}
	rows := Rows{Class: "epochs", Panels: []Panel{{Axis: Axis{Hi: 1}}}}
	shown := table{AriaLabel: "Cases by how many of their epochs are right", Heads: []string{"variant"}}
	parts := epochRanges(of.Variant(conditions[0].Variant).Epochs)
	for _, p := range parts {
		shown.Heads = append(shown.Heads, p.title(s.Epochs))
	}
	shown.Heads = append(shown.Heads, "always right", "same answer twice")
	for _, g := range groups(conditions, func(a, b eval.ConditionSummary) bool {
		return reflect.DeepEqual(of.Variant(a.Variant).Epochs, of.Variant(b.Variant).Epochs)
	}) {
		e := of.Variant(g.Variant).Epochs
		row := tableRow{Name: g.Title()}
		for _, p := range epochRanges(e) {
			row.Cells = append(row.Cells, renderText(textPart{Text: metric.FormatInteger(p.N)}))
		}
		for _, name := range []string{"route.pass_k", "route.consistency"} {
			words := shareText(g.Metrics[name])
			if e := g.Metrics[name]; name == "route.pass_k" && e.Missing > 0 {
				if metric.IsKnown(e.Value) && !finding.IsSmallSample(e) {
					words = append(words, textPart{Text: " of " + metric.FormatInteger(e.N), Mute: true})
				}
				words = append(words, missingPart(e, "incomplete"))
			}
			row.Cells = append(row.Cells, renderText(words...))
		}
		shown.Rows = append(shown.Rows, row)
		rows.Rows = append(rows.Rows,
			Row{Name: g.Title(), Link: CasesLink{Suite: s.Name, Variant: g.Variant}.String(),
				Cells: []PlotCell{{Marks: epochMarks(e), Value: epochText(e)}}})
	}
	return fragment("epochs", struct {
		Epochs       int
		Legend       template.HTML
		Rows, Shares template.HTML
	}{s.Epochs, epochLegend(rows.Rows), rows.HTML(), shown.HTML()})
}

func epochLegend(rows []Row) template.HTML {
	signs := []legendItem{{Class: "never", Text: "never right"}, {Class: "seldom", Text: "seldom"},
		{Class: "mixed", Text: "about half"}, {Class: "mostly", Text: "mostly"},
		{Class: "found", Text: "always right"}, {Class: "lacking", Text: "an unscored epoch"}}
	return legend(slices.DeleteFunc(signs, func(s legendItem) bool {
		return !slices.ContainsFunc(rows, func(r Row) bool {
			return slices.ContainsFunc(r.Cells[0].Marks, func(m Mark) bool { return m.Class == s.Class })
		})
	})...)
}

// epochRanges groups cases by the number of epochs in which they are right: none, all, and at most
// maxMiddleRanges ranges between.
func epochRanges(e EpochCounts) (list []epochRange) {
	list = []epochRange{{}}
	width := max(1, (e.Epochs-1+maxMiddleRanges-1)/maxMiddleRanges)
	for from := 1; from < e.Epochs; from += width {
		list = append(list, epochRange{From: from, To: min(from+width, e.Epochs) - 1})
	}
	list = append(list, epochRange{From: e.Epochs, To: e.Epochs})
	for i := range list {
		for k := list[i].From; k <= list[i].To && k < len(e.CasesByRightEpochs); k++ {
			list[i].N += e.CasesByRightEpochs[k]
		}
	}
	return list
}

func (p epochRange) title(of int) string {
	if p.From == p.To {
		return fmt.Sprintf("%d of %d", p.From, of)
	}
	return fmt.Sprintf("%d–%d of %d", p.From, p.To, of)
}

// class returns the CSS class that colors the range, based on the middle of the range.
func (p epochRange) class(of int) string {
	switch share := float64(p.From+p.To) / float64(2*of); {
	case p.To == 0:
		return "never"
	case p.From == of:
		return "found"
	case share < 0.4:
		return "seldom"
	case share <= 0.6:
		return "mixed"
	}
	return "mostly"
}

// epochMarks draws the ranges side by side, starting with the cases that are always right.
func epochMarks(e EpochCounts) (marks []Mark) {
	all, from := float64(e.Cases()+e.UnscoredCases), 0.0
	add := func(n int64, class string) {
		if n > 0 {
			to := from + 100*float64(n)/all
			marks = append(marks, Mark{
				Shape:  rectShape,
				From:   from,
				To:     to,
				Y:      barFrom,
				Height: rowHeight - 2*barFrom,
				Class:  class,
			})
			from = to
		}
	}
	list := epochRanges(e)
	for i := len(list) - 1; i >= 0; i-- {
		add(list[i].N, list[i].class(e.Epochs))
	}
	add(e.UnscoredCases, "lacking")
	return marks
}

func epochText(e EpochCounts) template.HTML {
	never, always := e.CasesByRightEpochs[0], e.CasesByRightEpochs[e.Epochs]
	words := []textPart{{Text: metric.FormatInteger(always), Strong: true}, {Text: " always right, "},
		{Text: metric.FormatInteger(e.Cases() - always - never), Strong: true}, {Text: " sometimes, "},
		{Text: metric.FormatInteger(never), Strong: true}, {Text: " never"}}
	if e.UnscoredCases > 0 {
		words = append(words, textPart{Text: fmt.Sprintf(", %s unscored in some epoch",
			metric.FormatInteger(e.UnscoredCases)),
			Mute: true})
	}
	return renderText(words...)
}

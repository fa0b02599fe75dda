package figure

import (
	"html/template"
	"math"

	"evalctl/eval"
	"evalctl/eval/number"
	"evalctl/reports/finding"
)

// measure is a metric that has a plot of its own.
type measure struct {
	Metric string
	Title  string
	Says   string // what it is of; "": what its title says
	Share  bool   // it is a share of cases, and no mean
}

// retrieved are the measures of what is found and of what answers state.
func retrieved() []measure {
	list := []measure{{Metric: "retrieval.hit_rate", Title: "hit rate", Says: "cases in which something that is to be found is found", Share: true}}
	names := []string{"recall@1", "recall@5", "recall@10"}
	for i, n := range eval.RecallDepths() {
		list = append(list, measure{Metric: eval.RecallAt(n), Title: names[i], Says: "how much of what is to be found is among the first"})
	}
	return append(list,
		measure{Metric: eval.RankScore, Title: "MRR", Says: "1 over the rank of the first that is to be found"},
		measure{Metric: "retrieval.false_hits", Title: "false hits", Says: "cases in which something is found though nothing is to be: less is better", Share: true},
		measure{Metric: eval.CoverageScore, Title: "facts stated", Says: "how many facts an answer states, in words that come to the same"},
		measure{Metric: eval.VerbatimScore, Title: "facts stated verbatim"},
		measure{Metric: eval.GradedScore, Title: "facts stated, as a model judges"},
		measure{Metric: "facts.grader_agreement", Title: "model and words agree", Says: "facts of which both say that an answer states them, or that it does not"},
		measure{Metric: eval.KeptScore, Title: "facts kept", Says: "how many facts of earlier turns a compressed session still holds"})
}

// measured is a measure with a row for each variant.
type measured struct {
	Title, Says string
	Rows        template.HTML
}

// Retrieval shows what is found and what answers state, each with its interval; beside it
// how far it is from the first variant's. Measures that are not in the run are left out.
func Retrieval(s eval.SuiteSummary) template.HTML {
	var list []measured
	for _, m := range retrieved() {
		if rows := measureRows(s, m); rows != "" {
			list = append(list, measured{Title: m.Title, Says: m.Says, Rows: rows})
		}
	}
	if len(list) == 0 {
		return ""
	}
	return fragment("measures", list)
}

// measureRows has variants with the same value in one row.
func measureRows(s eval.SuiteSummary, m measure) template.HTML {
	var with []eval.CellSummary
	least, most := 1.0, 0.0
	for _, c := range sound(s) {
		e := c.Metrics[m.Metric]
		if !number.Known(e.Value) {
			continue
		}
		with = append(with, c)
		lo, hi := reach(e)
		least, most = min(least, lo), max(most, hi)
	}
	if len(with) == 0 {
		return ""
	}
	axis := ShareAxis(least, most)
	rows := Rows{Class: "measures", Panels: []Panel{{Axis: axis}}}
	first := with[0].Metrics[m.Metric]
	if number.Known(first.Lo) && number.Known(first.Hi) {
		rows.Panels[0].Band = &Span{From: *first.Lo, To: *first.Hi}
	}
	for i, g := range groups(with, func(a, b eval.CellSummary) bool { return sameEstimate(a.Metrics[m.Metric], b.Metrics[m.Metric]) }) {
		e := g.Metrics[m.Metric]
		c := Cell{Marks: dotMarks(axis, e, "")}
		words := measureWords(e, m)
		if i > 0 {
			words = append(words, word{Text: " " + number.Points(*e.Value-*first.Value), Mute: true})
		}
		c.Value = said(words...)
		rows.Rows = append(rows.Rows, Row{Name: g.Title(), Link: casesOf(s, g.CellSummary).String(), Cells: []Cell{c}})
	}
	return rows.HTML()
}

func measureWords(e eval.Estimate, m measure) []word {
	words := estimated(e, number.Percent, " %")
	if m.Share {
		words = shared(e)
	}
	if !m.Share || !finding.Few(e) {
		words = append(words, word{Text: " of " + number.Grouped(e.N), Mute: true})
	}
	return append(words, lost(e, "unjudged"))
}

// dotMarks are a value on its interval.
func dotMarks(axis Axis, e eval.Estimate, class string) (marks []Mark) {
	if number.Known(e.Lo) && number.Known(e.Hi) {
		marks = append(marks, Mark{Shape: Line, From: axis.At(*e.Lo), To: axis.At(*e.Hi), Y: middle, Class: "interval " + class})
	}
	return append(marks, Mark{Shape: Dot, From: axis.At(*e.Value), Y: middle, Class: class})
}

// reach are an estimate's interval, or its value where it has none.
func reach(e eval.Estimate) (lo, hi float64) {
	lo, hi = *e.Value, *e.Value
	if number.Known(e.Lo) {
		lo = min(lo, *e.Lo)
	}
	if number.Known(e.Hi) {
		hi = max(hi, *e.Hi)
	}
	return lo, hi
}

func sameEstimate(a, b eval.Estimate) bool {
	equal := func(a, b *float64) bool {
		return a == b || a != nil && b != nil && (*a == *b || math.IsNaN(*a) && math.IsNaN(*b))
	}
	return equal(a.Value, b.Value) && equal(a.Lo, b.Lo) && equal(a.Hi, b.Hi) && a.N == b.N && a.Missing == b.Missing
}

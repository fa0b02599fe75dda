package page

import (
	"fmt"
	"html/template"
	"math"

	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/reports/finding"
)

// measure is a metric that has a plot of its own.
type measure struct {
	Metric      string
	Title       string
	Description string // additional description of the metric; "": the title is sufficient
	Share       bool   // the metric is a share of cases, not a mean of scores
	Score       bool   // formatted as a score such as 0.702, not as a percentage
}

// retrievalMeasures returns the metrics of retrieval and of the facts that answers state.
func retrievalMeasures() []measure {
	list := []measure{{Metric: "retrieval.hit_rate", Title: "hit rate",
		Description: "cases in which an expected item is found", Share: true}}
	for _, n := range eval.RecallDepths() {
		list = append(list, measure{Metric: eval.RecallScoreAt(n), Title: fmt.Sprintf("recall@%d", n),
			Description: fmt.Sprintf("share of the expected items among the first %d", n)})
	}
	return append(list,
		measure{
			Metric:      eval.MRRScore,
			Title:       "MRR",
			Description: "1 over the rank of the first expected item",
			Score:       true,
		},
		measure{
			Metric:      "retrieval.false_hits",
			Title:       "false hits",
			Description: "cases that expect nothing and find something; lower is better",
			Share:       true,
		},
		measure{Metric: eval.CoverageScore, Title: "facts stated",
			Description: "share of the facts that an answer states, in equivalent words"},
		measure{Metric: eval.VerbatimScore, Title: "facts stated verbatim"},
		measure{Metric: eval.GradedScore, Title: "facts stated, graded by a model"},
		measure{Metric: "facts.grader_agreement", Title: "grader agrees with words",
			Description: "facts on which the grader and the word comparison agree"},
		measure{Metric: eval.FactsKeptScore, Title: "facts kept",
			Description: "share of the facts of earlier turns that a compressed session still contains"})
}

// measureFigure contains the plot of a metric, with a row for each variant.
type measureFigure struct {
	Title, N, Description string
	Rows                  template.HTML
}

// Retrieval renders the metrics of retrieval and of stated facts, each with confidence intervals
// and the difference from the first variant. It omits metrics without values.
func Retrieval(s eval.SuiteSummary) template.HTML {
	var list []measureFigure
	for _, m := range retrievalMeasures() {
		if rows, n := measureRows(s, m); rows != "" {
			list = append(list, measureFigure{
				Title:       m.Title,
				N:           n,
				Description: m.Description,
				Rows:        rows,
			})
		}
	}
	if len(list) == 0 {
		return ""
	}
	return fragment("measures", list)
}

// measureRows renders the plot of a metric. Variants with the same value share a row. n is the
// number of values if it is the same for all variants, otherwise "".
func measureRows(s eval.SuiteSummary, m measure) (rows template.HTML, n string) {
	var conditions []eval.ConditionSummary
	lowest, highest, isSameN := 1.0, 0.0, true
	for _, c := range faultFree(s) {
		e := c.Metrics[m.Metric]
		if !metric.IsKnown(e.Value) {
			continue
		}
		conditions = append(conditions, c)
		lo, hi := intervalOrValue(e)
		lowest, highest = min(lowest, lo), max(highest, hi)
		isSameN = isSameN && !finding.IsSmallSample(e) && e.N == conditions[0].Metrics[m.Metric].N && e.Missing == 0
	}
	if len(conditions) == 0 {
		return "", ""
	}
	plot := Rows{Class: "measures", Panels: []Panel{{Axis: m.axis(lowest, highest)}}}
	first := conditions[0].Metrics[m.Metric]
	if len(conditions) > 1 && metric.IsKnown(first.Lo) && metric.IsKnown(first.Hi) {
		plot.Panels[0].Band = &Span{From: *first.Lo, To: *first.Hi}
	}
	for i, g := range groups(conditions,
		func(a, b eval.ConditionSummary) bool { return sameEstimate(a.Metrics[m.Metric], b.Metrics[m.Metric]) }) {
		e := g.Metrics[m.Metric]
		words := m.words(e)
		if i > 0 {
			words = append(words, textPart{Text: " " + m.distance(*e.Value-*first.Value)})
		}
		if !isSameN && !finding.IsSmallSample(e) {
			words = append(words, textPart{Text: " of " + metric.FormatInteger(e.N), Mute: true})
		}
		words = append(words, missingPart(e, "unscored"))
		plot.Rows = append(plot.Rows,
			Row{Name: g.Title(), Link: casesOf(s, g.ConditionSummary).String(),
				Cells: []PlotCell{{Marks: dotMarks(plot.Panels[0].Axis, e, ""), Value: renderText(words...)}}})
	}
	if isSameN {
		n = metric.FormatInteger(first.N)
	}
	return plot.HTML(), n
}

// axis returns the axis for values of the metric between least and most.
func (m measure) axis(least, most float64) Axis {
	if m.Score {
		return narrowAxis(ShareAxis(least, most), metric.FormatMean)
	}
	return narrowAxis(ShareAxis(least, most), wholeShare)
}

func wholeShare(v float64) string { return metric.FormatRounded(v*100) + " %" }

// narrowAxis labels the ends of an axis. It labels ticks between them only if the labels do not
// overlap in a narrow plot.
func narrowAxis(a Axis, label func(float64) string) Axis {
	const room = 30 // minimum distance between two labels, in percent
	last := 0.0
	for i := range a.Ticks {
		t := &a.Ticks[i]
		t.Label = ""
		if t.Position == 0 || t.Position == 100 || t.Position >= room && t.Position <= 100-room &&
			t.Position-last >= room {
			t.Label, last = label(a.Lo+(a.Hi-a.Lo)*t.Position/100), t.Position
		}
	}
	return a
}

func (m measure) words(e eval.Estimate) []textPart {
	switch {
	case m.Score:
		return estimateText(e, metric.FormatScore, "")
	case m.Share:
		return shareText(e)
	}
	return estimateText(e, metric.FormatPercent, " %")
}

func (m measure) distance(v float64) string {
	if m.Score {
		return metric.FormatSignedScore(v)
	}
	return metric.FormatPoints(v)
}

// dotMarks draws a value as a dot on the line of its confidence interval.
func dotMarks(axis Axis, e eval.Estimate, class string) (marks []Mark) {
	if metric.IsKnown(e.Lo) && metric.IsKnown(e.Hi) {
		marks = append(marks, Mark{
			Shape: lineShape,
			From:  axis.Position(*e.Lo),
			To:    axis.Position(*e.Hi),
			Y:     middle,
			Class: "interval " + class,
		})
	}
	return append(marks, Mark{
		Shape: dotShape,
		From:  axis.Position(*e.Value),
		Y:     middle,
		Class: class,
	})
}

func intervalOrValue(e eval.Estimate) (lo, hi float64) {
	lo, hi = *e.Value, *e.Value
	if metric.IsKnown(e.Lo) {
		lo = min(lo, *e.Lo)
	}
	if metric.IsKnown(e.Hi) {
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

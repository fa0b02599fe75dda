package figure

import (
	"html/template"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/number"
	"evalctl/reports/finding"
	"evalctl/reports/page/address"
)

const accuracy = "route.accuracy"

// Accuracy is how many decisions of each variant are right: dots with intervals.
func Accuracy(s eval.SuiteSummary) template.HTML {
	r := accuracyRows(s)
	if len(r.Rows) == 0 {
		return ""
	}
	return r.HTML()
}

// Variants shows beside that how each differs from the one that all are held against,
// and in a table what else was measured of them.
func Variants(s eval.SuiteSummary) template.HTML {
	r := accuracyRows(s)
	data := struct {
		Plot    template.HTML
		Against string // "": nothing is held against it
		Zero    bool   // the scale of accuracies starts there
		Metrics metricTable
	}{Metrics: newMetricTable(s)}
	if len(r.Rows) > 1 {
		data.Against = finding.BaselineVariant(s)
	}
	if len(r.Rows) > 0 {
		data.Zero = r.Panels[0].Axis.Lo == 0
		if len(s.Differences) > 0 && len(r.Rows) > 1 {
			addDifferences(s, &r)
		}
		data.Plot = r.HTML()
	}
	return fragment("variants", data)
}

func accuracyRows(s eval.SuiteSummary) Rows {
	lo, hi := 1.0, 0.0
	judged := false
	for _, c := range finding.FaultFree(s) {
		e := c.Metrics[accuracy]
		judged = judged || e.N+e.Missing > 0
		if l, h, ok := limits(e); ok {
			lo, hi = min(lo, l), max(hi, h)
		}
	}
	if !judged || lo > hi {
		return Rows{}
	}
	p := Panel{Head: "accuracy, share of decisions right", Axis: ShareAxis(lo, hi)}
	out := Rows{Class: "variants"}
	for _, c := range finding.FaultFree(s) {
		e := c.Metrics[accuracy]
		if l, h, ok := limits(e); ok && c.Name == finding.BaselineVariant(s) && len(finding.FaultFree(s)) > 1 {
			p.Band = &Span{From: l, To: h}
		}
		out.Rows = append(out.Rows, Row{Name: c.Name, Link: address.CasesLink{Suite: s.Name, Variant: c.Name}.String(), Cells: []PlotCell{{
			Marks: dot(p.Axis, e, stateOf(s, c.Name)), Value: fragment("accuracy", newAccuracyText(s, c)),
		}}})
	}
	out.Panels = []Panel{p}
	return out
}

// limits are those of an estimate's interval, or its value twice.
func limits(e eval.Estimate) (lo, hi float64, ok bool) {
	if !number.IsKnown(e.Value) {
		return 0, 0, false
	}
	lo, hi = *e.Value, *e.Value
	if number.IsKnown(e.Lo) {
		lo = *e.Lo
	}
	if number.IsKnown(e.Hi) {
		hi = *e.Hi
	}
	return lo, hi, true
}

// stateOf is how a variant compares with the one that all are held against; "" of that
// one, and where nothing is proven.
func stateOf(s eval.SuiteSummary, variant string) string {
	d, ok := finding.Difference(s, variant, finding.BaselineVariant(s))
	if ok && variant != finding.BaselineVariant(s) && (d.State == eval.Better || d.State == eval.Worse) {
		return string(d.State)
	}
	return ""
}

// dot is a value with its interval.
func dot(a Axis, e eval.Estimate, class string) []Mark {
	lo, hi, ok := limits(e)
	if !ok {
		return nil
	}
	return []Mark{
		{Shape: Line, From: a.At(lo), To: a.At(hi), Class: "interval " + class},
		{Shape: Dot, From: a.At(*e.Value), Class: class},
	}
}

// accuracyText is an accuracy in words.
type accuracyText struct {
	Share, Interval string
	Of              int64 // shown where it is not all that the suite has
	Unscored        int64
	Link            string // to what is unjudged
	BaselineModel   bool
}

func newAccuracyText(s eval.SuiteSummary, c eval.ConditionSummary) accuracyText {
	e := c.Metrics[accuracy]
	t := accuracyText{Share: finding.Share(e), Interval: bracketed(e.Lo, e.Hi, number.Percent), Unscored: e.Missing, BaselineModel: c.BaselineModel}
	if e.N != finding.PlannedTrials(s) {
		t.Of = e.N
	}
	if e.Missing > 0 {
		t.Link = address.CasesLink{Suite: s.Name, Variant: c.Name, Result: address.Unscored}.String()
	}
	if finding.IsSmallSample(e) {
		t.Of = 0 // it is said
	}
	return t
}

// bracketed is an interval, or nothing.
func bracketed(lo, hi *float64, show func(float64) string) string {
	return strings.TrimSpace(interval(lo, hi, show))
}

// addDifferences adds the panel of differences.
func addDifferences(s eval.SuiteSummary, r *Rows) {
	first := finding.BaselineVariant(s)
	var lo, hi float64
	for _, c := range finding.FaultFree(s) {
		if d, ok := finding.Difference(s, c.Name, first); ok && c.Name != first {
			l, h, _ := limits(eval.Estimate{Value: d.Accuracy.Value, Lo: d.Accuracy.Lo, Hi: d.Accuracy.Hi})
			lo, hi = min(lo, l), max(hi, h)
		}
	}
	r.Class = "variants two"
	p := Panel{Head: "difference from " + Name(first) + ", points", Axis: PointsAxis(lo, hi), Zero: new(0.0)}
	for i, c := range finding.FaultFree(s) {
		r.Rows[i].Cells = append(r.Rows[i].Cells, differenceCell(s, p.Axis, c.Name, first))
	}
	r.Panels = append(r.Panels, p)
}

// differenceText is a difference in words.
type differenceText struct {
	State, Points, Interval string
	Gained, Lost            int64
	GainedLink, LostLink    string
	Epochs                  bool // cases are more or less often right
}

func differenceCell(s eval.SuiteSummary, a Axis, variant, first string) PlotCell {
	t := differenceText{Epochs: s.Epochs > 1}
	d, ok := finding.Difference(s, variant, first)
	switch {
	case variant == first:
		t.State = "first"
	case !ok || d.State == eval.InsufficientData || !number.IsKnown(d.Accuracy.Value):
		t.State = "unknown"
	case d.State == eval.Identical:
		t.State = "identical"
	default:
		t.State = string(d.State)
		t.Points, t.Interval = number.Points(*d.Accuracy.Value), bracketed(d.Accuracy.Lo, d.Accuracy.Hi, number.Points)
		t.Gained, t.Lost = d.Fixed, d.Broken
		cases := address.CasesLink{Suite: s.Name, Variant: variant, Change: address.Fixed}
		t.GainedLink = cases.String()
		cases.Change = address.Broken
		t.LostLink = cases.String()
	}
	c := PlotCell{Value: fragment("difference", t)}
	switch {
	case t.State == "identical":
		c.Marks = []Mark{{Shape: Dot, From: a.At(0), Class: "hollow"}}
	case t.Points != "":
		e := eval.Estimate{Value: d.Accuracy.Value, Lo: d.Accuracy.Lo, Hi: d.Accuracy.Hi}
		c.Marks = dot(a, e, stateOf(s, variant))
	}
	return c
}

// hasFaults tells a suite with cells under a fault.
func hasFaults(s eval.SuiteSummary) bool {
	return slices.ContainsFunc(s.Conditions, func(c eval.ConditionSummary) bool { return c.Fault != "" && c.Fault != eval.NoFault })
}

package reports

import (
	"evalctl/eval"
	"evalctl/reports/document"
	"evalctl/reports/finding"
)

// valueRange is the range of some values, for an axis that shows all of them.
type valueRange struct {
	lo, hi float64
	known  bool // at least one value was added
}

// add extends the range to the values that are known.
func (r *valueRange) add(values ...*float64) {
	for _, v := range values {
		switch {
		case !isKnown(v):
		case !r.known:
			r.lo, r.hi, r.known = *v, *v, true
		default:
			r.lo, r.hi = min(r.lo, *v), max(r.hi, *v)
		}
	}
}

// addEstimate extends the range to an estimate with its interval, if its value is known.
func (r *valueRange) addEstimate(e eval.Estimate) {
	if isKnown(e.Value) {
		r.add(e.Value, e.Lo, e.Hi)
	}
}

// addContrast extends the range to a difference with its interval.
func (r *valueRange) addContrast(c eval.Contrast) { r.add(c.Value, c.Lo, c.Hi) }

// addTimes extends the range to times above 0. A logarithmic axis cannot show a time of 0.
func (r *valueRange) addTimes(values ...*float64) {
	for _, v := range values {
		if isKnown(v) && *v > 0 {
			r.add(v)
		}
	}
}

// axis returns the axis of the range; nil if it is empty.
func (r valueRange) axis(of func(lo, hi float64) *document.Axis) *document.Axis {
	if !r.known {
		return nil
	}
	return of(r.lo, r.hi)
}

// plotWidth is the maximum width of a plot in a table, in columns of a terminal.
const plotWidth = 24

// accuracyPlot returns a column that draws the accuracy of each condition with its interval, in the
// tone of its difference from the suite's baseline variant. The column is empty, and not shown, if no
// accuracy is known.
func accuracyPlot(s eval.SuiteSummary, conditions []eval.ConditionSummary) document.Column {
	var values valueRange
	for _, c := range conditions {
		values.addEstimate(c.Metrics["route.accuracy"])
	}
	cells := each(conditions, func(c eval.ConditionSummary) document.Cell {
		e := c.Metrics["route.accuracy"]
		return document.Cell{Marks: document.IntervalMarks(e.Value, e.Lo, e.Hi, differenceTone(s, c.Variant), true)}
	})
	return document.Column{Axis: values.axis(document.ShareAxis), Rank: 1, Cells: cells}
}

// differenceTone returns the tone of a variant's marks: blue or orange if it differs significantly
// from the baseline variant.
func differenceTone(s eval.SuiteSummary, variant string) document.Tone {
	d, ok := finding.Difference(s, variant, finding.BaselineVariant(s))
	if !ok || variant == finding.BaselineVariant(s) {
		return document.Plain
	}
	return stateTone(d.State)
}

package reports

import (
	"evalctl/eval"
	"evalctl/reports/document"
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

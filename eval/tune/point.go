package tune

import (
	"math"
	"slices"

	"evalctl/eval"
	"evalctl/eval/stats"
)

// Point contains the results for one threshold. They are the same for all thresholds from
// RangeLo to RangeHi.
type Point struct {
	Threshold float64 `json:"threshold"` // one threshold of the range
	// lower end of the thresholds with the same results, exclusive except in the first point
	RangeLo float64 `json:"range_above"`
	RangeHi float64 `json:"range_up_to"` // upper end of the thresholds with the same results, inclusive

	Correct  int64   `json:"correct"`  // number of trials that are right, of Tuning.Trials
	Accuracy float64 `json:"accuracy"` // Correct as a share of Tuning.Trials
	// labeled turns whose confidence is below the threshold, so the fallback decides
	FallbackTurns int64   `json:"rejected"`
	FallbackRate  float64 `json:"fallback_rate"` // Rejected as a share of Tuning.Turns

	// US dollars per trial; null: a price or the cost of a changed decision is unknown
	CostPerTrial  *float64 `json:"cost"`
	CallsPerTrial *float64 `json:"calls"` // calls per trial
	// share of trials whose decision differs from the run; their cost and calls are estimated from
	// trials with the same decision
	EstimatedShare float64 `json:"estimated_share"`

	// the measure of the objective; null: unknown. A cost is in US dollars per 1,000 trials.
	ObjectiveValue *float64 `json:"objective"`
	// the measure that the objective limits; null: unknown or none
	LimitedValue *float64 `json:"limited,omitempty"`
	// recall of out-of-scope turns, and accuracy of the others; null: the data lacks a class. In the
	// intervals, the epochs and turns of a case count once.
	OOSRecall       *eval.Estimate `json:"oos_recall,omitempty"`
	InScopeAccuracy *eval.Estimate `json:"in_scope_accuracy,omitempty"`
}

// points returns a Point for each threshold range of the curve.
func (c *curve) points(t Tuning) []Point {
	doubted := make([]int64, c.last+2)
	for _, j := range c.jumps {
		if j.cut < c.last {
			doubted[j.cut+1] += j.rejected
		}
	}
	list := make([]Point, 0, c.last+1)
	oosCases, inScopeCases := c.casesOf(oosRight), c.casesOf(inScopeRight)
	hasClasses := c.classes()
	needed := append(c.goal.channels(), trialsRight, oosRight, inScopeRight)
	slices.Sort(needed)
	m := c.goal.goal()
	c.scan(slices.Compact(needed), all, func(i int, r *rates) {
		if i > 0 {
			doubted[i] += doubted[i-1]
		}
		p := Point{
			Threshold:      c.middle(i, i),
			Correct:        int64(math.Round(r.of[trialsRight] * float64(t.Trials))),
			FallbackTurns:  doubted[i],
			ObjectiveValue: known(m.value(*r, c.goal.mix)),
		}
		if c.goal.limited.name != "" {
			p.LimitedValue = known(c.goal.limited.value(*r, c.goal.mix))
		}
		if hasClasses {
			p.OOSRecall = shareOf(r.of[oosRight], t.OOSTurns, oosCases)
			p.InScopeAccuracy = shareOf(r.of[inScopeRight], t.InScopeTurns, inScopeCases)
		}
		p.RangeLo, p.RangeHi = c.edges(i, i)
		p.Accuracy, p.FallbackRate = float64(p.Correct)/float64(t.Trials), float64(p.FallbackTurns)/float64(t.Turns)
		c.costs.fill(&p, i, t.Trials)
		list = append(list, p)
	})
	return list
}

// casesOf returns the number of cases that count in a channel.
func (c *curve) casesOf(ch channel) (n int64) {
	for _, one := range c.cases {
		n += min(one.most[ch], 1)
	}
	return n
}

// known returns v; nil if it is undefined.
func known(v float64) *float64 {
	if math.IsNaN(v) {
		return nil
	}
	return &v
}

// shareOf returns a share of n turns that belong to some cases. The turns of a case count as one
// observation in the interval.
func shareOf(v float64, n, cases int64) *eval.Estimate {
	lo, hi := stats.Wilson(v*float64(cases), float64(cases), level)
	e := &eval.Estimate{
		Value: &v,
		Lo:    &lo,
		Hi:    &hi,
		N:     n,
	}
	if cases < n {
		e.Cases = cases
	}
	return e
}

// thinned returns at most this number of points, evenly spaced. It always includes the points at
// the indexes named.
func thinned(list []Point, most int, named ...int) []Point {
	if len(list) <= most {
		return list
	}
	keep := make(map[int]bool, len(named))
	for _, i := range named {
		keep[i] = true
	}
	room := most - len(keep)
	var out []Point
	for i, p := range list {
		if keep[i] || i*room/len(list) != (i-1)*room/len(list) || i == 0 {
			out = append(out, p)
		}
	}
	return out[:min(len(out), most)]
}

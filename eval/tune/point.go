package tune

// Point contains the results for one threshold. They are the same for all thresholds from
// RangeAbove to RangeUpTo.
type Point struct {
	Threshold float64 `json:"threshold"` // one threshold of the range
	// lower end of the thresholds with the same results, exclusive except in the first point
	RangeAbove float64 `json:"range_above"`
	RangeUpTo  float64 `json:"range_up_to"` // upper end of the thresholds with the same results, inclusive

	Correct  int64   `json:"correct"`  // number of trials that are right, of Tuning.Trials
	Accuracy float64 `json:"accuracy"` // Correct as a share of Tuning.Trials
	// labeled turns whose confidence is below the threshold, so the fallback decides
	Rejected     int64   `json:"rejected"`
	FallbackRate float64 `json:"fallback_rate"` // Rejected as a share of Tuning.Turns

	// US dollars per trial; null: a price or the cost of a changed decision is unknown
	Cost  *float64 `json:"cost"`
	Calls *float64 `json:"calls"` // calls per trial
	// share of trials whose decision differs from the run; their cost and calls are estimated from
	// trials with the same decision
	EstimatedShare float64 `json:"estimated_share"`
}

// points returns a Point for each threshold range of the curve.
func (c *curve) points(right []int64, trials []trial, t Tuning) []Point {
	doubted := make([]int64, len(right)+1)
	for _, j := range c.jumps {
		if j.cut < c.last {
			doubted[j.cut+1] += j.rejected
		}
	}
	costs := newCosts(c, trials)
	list := make([]Point, len(right))
	for i := range list {
		if i > 0 {
			doubted[i] += doubted[i-1]
		}
		p := Point{Threshold: c.middle(i, i), Correct: right[i], Rejected: doubted[i]}
		p.RangeAbove, p.RangeUpTo = c.edges(i, i)
		p.Accuracy, p.FallbackRate = float64(p.Correct)/float64(t.Trials), float64(p.Rejected)/float64(t.Turns)
		costs.fill(&p, i, t.Trials)
		list[i] = p
	}
	return list
}

// thinned returns at most the given number of points, evenly spaced. It always includes the points
// whose indexes are in named.
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

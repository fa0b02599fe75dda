package tune

// Point has the results of one threshold, and of all others up to the next stated confidence.
type Point struct {
	Threshold float64 `json:"threshold"`
	// all thresholds above this are equivalent to Threshold (for the first point including this)
	RangeAbove float64 `json:"range_above"`
	RangeUpTo  float64 `json:"range_up_to"` // up to and including this

	Correct  int64   `json:"correct"` // of Tuning.Trials
	Accuracy float64 `json:"accuracy"`
	// labeled turns in which the confidence is too low, so the model's decision is not used
	Rejected     int64   `json:"rejected"`
	FallbackRate float64 `json:"fallback_rate"` // Rejected as a share of Tuning.Turns

	// USD per trial; null: a price is missing, or the cost of a changed decision is unknown
	Cost  *float64 `json:"cost"`
	Calls *float64 `json:"calls"` // per trial
	// share of trials with another decision than in the run; their cost and calls are the mean of
	// trials with this decision
	EstimatedShare float64 `json:"estimated_share"`
}

// points returns the points of all places.
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

// thinned returns at most most points, evenly chosen, including the named ones.
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

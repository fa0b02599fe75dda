package tune

// Point is what one threshold comes to, and all others up to the next confidence
// that was stated.
type Point struct {
	Threshold  float64 `json:"threshold"`
	RangeAbove float64 `json:"range_above"` // as good as Threshold is all above this (of the first point this itself, too),
	RangeUpTo  float64 `json:"range_up_to"` // up to this one

	Correct      int64   `json:"correct"` // of Tuning.Trials
	Accuracy     float64 `json:"accuracy"`
	Rejected     int64   `json:"rejected"`      // labelled turns that are decided otherwise than the model says, for it is not sure enough
	FallbackRate float64 `json:"fallback_rate"` // their share of Tuning.Turns

	Cost           *float64 `json:"cost"`            // USD a trial; null: something has no price, or nothing tells what it would be
	Calls          *float64 `json:"calls"`           // a trial's
	EstimatedShare float64  `json:"estimated_share"` // share of trials that decide otherwise than they were played: their cost and calls are the mean of those that were decided so
}

// points are those of all places.
func (c *curve) points(right []int64, trials []trial, t Tuning) []Point {
	doubted := make([]int64, len(right)+1)
	for _, j := range c.jumps {
		if j.cut < c.last {
			doubted[j.cut+1] += j.doubted
		}
	}
	costs := newCosts(c, trials)
	list := make([]Point, len(right))
	for i := range list {
		if i > 0 {
			doubted[i] += doubted[i-1]
		}
		p := Point{Threshold: c.within(i, i), Correct: right[i], Rejected: doubted[i]}
		p.RangeAbove, p.RangeUpTo = c.edges(i, i)
		p.Accuracy, p.FallbackRate = float64(p.Correct)/float64(t.Trials), float64(p.Rejected)/float64(t.Turns)
		costs.fill(&p, i, t.Trials)
		list[i] = p
	}
	return list
}

// thinned are at most that many points, evenly chosen, with those that are named.
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

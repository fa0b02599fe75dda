package tune

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// curve is what a set of cases comes to as the threshold rises. Place 0 is of the
// thresholds that trust the model always, place i of those above cuts[i-1] and up to
// cuts[i].
type curve struct {
	cuts  []float64 // confidences that are stated, each once
	cases []cluster // by their ids
	jumps []jump    // by their cuts
	at    int       // the present place
	last  int       // the highest place that a threshold of at most 1 can have
}

// cluster is a case: its epochs come and go together.
type cluster struct {
	id, label string
	n         int64 // judged trials
	always    int64 // of them, right where the model is trusted always
}

// jump is what becomes of a case where the threshold rises above a confidence.
type jump struct {
	cut     int
	of      int // the case
	right   int64
	doubted int64
}

// newCurve takes trials in any order.
func newCurve(trials []trial) *curve {
	c := &curve{}
	at := map[string]int{}
	for _, t := range trials {
		at[t.of] = 0
		for _, s := range t.states[1:] {
			c.cuts = append(c.cuts, s.above)
		}
	}
	slices.Sort(c.cuts)
	c.cuts = slices.Compact(c.cuts)
	c.cases = make([]cluster, 0, len(at))
	for id := range at {
		c.cases = append(c.cases, cluster{id: id})
	}
	slices.SortFunc(c.cases, func(a, b cluster) int { return cmp.Compare(a.id, b.id) })
	for i, one := range c.cases {
		at[one.id] = i
	}
	for _, t := range trials {
		c.add(at[t.of], t)
	}
	slices.SortFunc(c.jumps, func(a, b jump) int { return cmp.Or(cmp.Compare(a.cut, b.cut), cmp.Compare(a.of, b.of)) })
	c.last = len(c.cuts)
	if c.last > 0 && c.cuts[c.last-1] == 1 {
		c.last--
	}
	return c
}

func (c *curve) add(of int, t trial) {
	one := &c.cases[of]
	one.n++
	if one.label == "" || t.label < one.label {
		one.label = t.label
	}
	before := t.states[0]
	one.always += count(before.right)
	for _, s := range t.states[1:] {
		c.jumps = append(c.jumps, jump{cut: c.place(s.above), of: of, right: count(s.right) - count(before.right), doubted: s.doubted - before.doubted})
		before = s
	}
}

func count(yes bool) int64 {
	if yes {
		return 1
	}
	return 0
}

// place is where a threshold stands: as many confidences are below it.
func (c *curve) place(threshold float64) int { return sort.SearchFloat64s(c.cuts, threshold) }

// right counts right trials place by place, of the cases that count.
func (c *curve) right(counts func(of int) bool) []int64 {
	sums := make([]int64, len(c.cuts)+1)
	for i, one := range c.cases {
		if counts(i) {
			sums[0] += one.always
		}
	}
	for _, j := range c.jumps {
		if counts(j.of) {
			sums[j.cut+1] += j.right
		}
	}
	for i := range c.cuts {
		sums[i+1] += sums[i]
	}
	return sums[:c.last+1]
}

// edges are the thresholds of the places from one to another: above lo, up to hi.
func (c *curve) edges(from, to int) (lo, hi float64) {
	lo, hi = 0, 1
	if from > 0 {
		lo = c.cuts[from-1]
	}
	if to < len(c.cuts) {
		hi = c.cuts[to]
	}
	return lo, hi
}

// highest is the highest threshold of a place, in few digits.
func (c *curve) highest(place int) float64 { return rounded(c.edges(place, place)) }

// best is a threshold with the most right trials. Of several runs of such thresholds
// it is in the one that is nearest to the present threshold, and in its middle: at
// the present one itself where that is in the run.
func (c *curve) best(right []int64, present float64) float64 {
	most := slices.Max(right)
	found, nearest := present, math.Inf(1)
	for from := 0; from < len(right); from++ {
		if right[from] != most {
			continue
		}
		to := from
		for to+1 < len(right) && right[to+1] == most {
			to++
		}
		lo, hi := c.edges(from, to)
		if from <= c.at && c.at <= to {
			return present
		}
		if away := max(lo-present, present-hi); away < nearest {
			found, nearest = c.within(from, to), away
		}
		from = to
	}
	return found
}

// within is a threshold in the middle of such places, in few digits. At the ends it
// is 0 and 1, which say «always» and «never».
func (c *curve) within(from, to int) float64 {
	lo, hi := c.edges(from, to)
	switch {
	case to == 0:
		return 0
	case from == len(c.cuts):
		return 1
	}
	return short(lo, hi)
}

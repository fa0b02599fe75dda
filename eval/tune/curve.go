package tune

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// curve has the results of a set of cases by threshold. Place 0 has the thresholds that always
// trust the model. Place i has those above cuts[i-1] and up to cuts[i].
type curve struct {
	cuts  []float64 // different stated confidences, ascending
	cases []cluster // sorted by id
	jumps []jump    // sorted by cut
	at    int       // place of the current threshold
	last  int       // highest place with a threshold of at most 1
}

// cluster is a case with its epochs.
type cluster struct {
	id, label      string
	n              int64 // scored trials
	rightIfTrusted int64 // right trials if the model is always trusted
}

// jump is the change in a case when the threshold rises above a confidence.
type jump struct {
	cut       int
	caseIndex int // index of the case
	right     int64
	rejected  int64
}

// newCurve accepts trials in any order.
func newCurve(trials []trial) *curve {
	c := &curve{}
	at := map[string]int{}
	for _, t := range trials {
		at[t.caseID] = 0
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
		c.add(at[t.caseID], t)
	}
	slices.SortFunc(c.jumps,
		func(a, b jump) int { return cmp.Or(cmp.Compare(a.cut, b.cut), cmp.Compare(a.caseIndex, b.caseIndex)) })
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
	one.rightIfTrusted += count(before.right)
	for _, s := range t.states[1:] {
		c.jumps = append(c.jumps, jump{
			cut:       c.place(s.above),
			caseIndex: of,
			right:     count(s.right) - count(before.right),
			rejected:  s.rejected - before.rejected,
		})
		before = s
	}
}

func count(yes bool) int64 {
	if yes {
		return 1
	}
	return 0
}

// place returns the place of a threshold: the number of confidences below it.
func (c *curve) place(threshold float64) int { return sort.SearchFloat64s(c.cuts, threshold) }

// right returns the right trials by place, of the cases selected by counts.
func (c *curve) right(counts func(of int) bool) []int64 {
	sums := make([]int64, len(c.cuts)+1)
	for i, one := range c.cases {
		if counts(i) {
			sums[0] += one.rightIfTrusted
		}
	}
	for _, j := range c.jumps {
		if counts(j.caseIndex) {
			sums[j.cut+1] += j.right
		}
	}
	for i := range c.cuts {
		sums[i+1] += sums[i]
	}
	return sums[:c.last+1]
}

// edges returns the threshold range of the places from … to: above lo, up to hi.
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

// highest returns the highest threshold of a place, with few digits.
func (c *curve) highest(place int) float64 { return roundedDown(c.edges(place, place)) }

// best returns a threshold with the most right trials. If several ranges of thresholds have the
// most, it uses the one closest to the current threshold, and its middle. If this range contains
// the current threshold, it returns that.
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
			found, nearest = c.middle(from, to), away
		}
		from = to
	}
	return found
}

// middle returns a threshold in the middle of these places, with few digits. At the ends it returns
// 0 ("always") and 1 ("never").
func (c *curve) middle(from, to int) float64 {
	lo, hi := c.edges(from, to)
	switch {
	case to == 0:
		return 0
	case from == len(c.cuts):
		return 1
	}
	return shortestBetween(lo, hi)
}

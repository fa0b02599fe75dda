package tune

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// curve contains the results of all cases as a function of the threshold. Thresholds between two
// consecutive confidences of the model lead to the same decisions. Such a range of thresholds is
// called a place and has an index. Place 0 contains the thresholds that always accept the model's
// decision. Place i contains the thresholds above cuts[i-1] and up to cuts[i].
type curve struct {
	cuts  []float64 // the different confidences of the model, ascending
	cases []cluster // results by case, sorted by ID
	jumps []jump    // changes of the cases' results, sorted by cut
	at    int       // index of the threshold range that contains the current threshold
	last  int       // index of the highest threshold range that contains a threshold of at most 1
}

// cluster is a case with the results of all its epochs.
type cluster struct {
	id, label      string
	n              int64 // number of scored trials
	rightIfTrusted int64 // trials that are right if the model's decision is always accepted
}

// jump is the change of a case's results when the threshold rises above a confidence.
type jump struct {
	cut       int
	caseIndex int // index in curve.cases
	right     int64
	rejected  int64
}

// newCurve returns the curve of the trials. Their order does not matter.
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

// place returns the index of the threshold range that contains the threshold.
func (c *curve) place(threshold float64) int { return sort.SearchFloat64s(c.cuts, threshold) }

// right returns the number of right trials for each threshold range. It considers only the cases
// for which counts returns true.
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

// edges returns the limits of a sequence of threshold ranges, given by its first and last index.
// Its thresholds are above lo and at most hi.
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

// highest returns the highest threshold of the range with this index, rounded to few digits.
func (c *curve) highest(place int) float64 { return roundedDown(c.edges(place, place)) }

// best returns a threshold with the highest number of right trials. Among several ranges of such
// thresholds, it returns the middle of the range closest to the current threshold. If the current
// threshold is in one of them, it returns the current one.
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

// middle returns a threshold with few digits in the middle of a sequence of threshold ranges, given
// by its first and last index. It returns 0 (always accept) for the lowest range alone, and 1
// (never accept) if the sequence starts with the highest.
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

package tune

import (
	"math/rand/v2"
	"slices"
)

// replications is the number of random samples of a significance test. maxTested is the maximum
// number of threshold ranges that are tested.
const (
	replications = 999
	maxTested    = 400
)

// run is a sequence of adjacent threshold ranges: their indexes, inclusive.
type run struct{ from, to int }

// region returns the threshold ranges that are not significantly worse than the best one, at the
// 95 % level. The distance of a range is how many more trials are right at the best one. A range is
// significantly worse if its distance is larger than the maximum distance in 95 % of random
// samples. The samples assume that all ranges are equally good. The maximum is used because the
// best range is selected from all.
//
// Each sample gives every case a random sign, as in [stats.Paired]: if two thresholds are equally
// good, a case is equally likely to be fixed or broken by the change. Significantly worse ranges
// are removed, and the others are tested again until none is removed.
//
// Source: Hansen, Lunde & Nason, "The model confidence set", Econometrica 79 (2011).
func (c *curve) region(right []int64, seed uint64) (runs []run) {
	all := c.tested(right)
	kept := c.notSignificantlyWorse(all, right, 1-level, seed)
	for tested := all; len(kept) < len(tested); {
		tested, kept = kept, c.notSignificantlyWorse(kept, right, 1-level, seed)
	}
	next := -1 // index in all of the threshold range that would continue the last run
	for i, p := range all {
		switch {
		case !slices.Contains(kept, p):
			continue
		case i == next:
			runs[len(runs)-1].to = p
		default:
			runs = append(runs, run{from: p, to: p})
		}
		next = i + 1
	}
	return runs
}

// tested returns the indexes of the threshold ranges to test: all of them or, if there are too
// many, evenly spaced ones with the best and the last.
func (c *curve) tested(right []int64) (list []int) {
	best := 0
	for i, n := range right {
		if n > right[best] {
			best = i
		}
	}
	step := 1 + (len(right)-1)/maxTested
	for i := range right {
		if i%step == 0 || i == best || i == len(right)-1 {
			list = append(list, i)
		}
	}
	return list
}

// notSignificantlyWorse returns the elements of places that are not significantly worse than the
// best of them. places contains indexes of threshold ranges.
func (c *curve) notSignificantlyWorse(places []int, right []int64, alpha float64, seed uint64) (kept []int) {
	most := int64(0)
	for _, p := range places {
		most = max(most, right[p])
	}
	steps := c.steps(places)
	reached := make([]int, len(places)) // number of samples whose maximum distance is at least that of the range
	walk := make([]int64, len(places))
	random := rand.New(rand.NewPCG(seed, 0x7475_6e65))
	signs := make([]uint64, (len(c.cases)+63)/64)
	for range replications {
		for i := range signs {
			signs[i] = random.Uint64()
		}
		top := int64(0)
		for i := range places {
			if i > 0 {
				walk[i] = walk[i-1]
			}
			for _, s := range steps[i] {
				if signs[s.caseIndex>>6]>>(s.caseIndex&63)&1 == 1 {
					walk[i] += s.right
				} else {
					walk[i] -= s.right
				}
			}
			top = max(top, walk[i])
		}
		for i, p := range places {
			if top-walk[i] >= most-right[p] {
				reached[i]++
			}
		}
	}
	for i, p := range places {
		if float64(reached[i]+1) > alpha*float64(replications+1) {
			kept = append(kept, p)
		}
	}
	return kept
}

// steps returns, for each threshold range in the list, the changes of cases since the previous
// range in the list.
func (c *curve) steps(places []int) [][]jump {
	list := make([][]jump, len(places))
	i := 0
	for _, j := range c.jumps {
		for i < len(places) && places[i] <= j.cut {
			i++
		}
		if i == 0 || i == len(places) || j.right == 0 {
			continue
		}
		list[i] = append(list[i], j)
	}
	return list
}

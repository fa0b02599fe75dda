package tune

import (
	"math/rand/v2"
	"slices"
)

// Number of sign replications, and maximum number of tested places.
const (
	replications = 999
	maxTested    = 400
)

// run is a range of places.
type run struct{ from, to int }

// region returns the ranges of places that are not significantly worse than the best at 95 %. A
// place is significantly worse if the best leads by more than the maximum lead in 95 of 100 samples
// under equality. The maximum is used because the best place is itself selected from all.
//
// The samples have a random sign for every case, as in [stats.Paired]. If thresholds are equally
// good, a case is equally likely to be gained or lost between them. Significantly worse places are
// removed, and the rest is tested again until none is removed.
//
// Source: Hansen, Lunde & Nason, "The model confidence set", Econometrica 79 (2011).
func (c *curve) region(right []int64, seed uint64) (runs []run) {
	all := c.tested(right)
	kept := c.notSignificantlyWorse(all, right, 1-level, seed)
	for tested := all; len(kept) < len(tested); {
		tested, kept = kept, c.notSignificantlyWorse(kept, right, 1-level, seed)
	}
	next := -1 // index in all that continues the last range
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

// tested returns the places to test: all, or evenly spaced ones with the best and the last.
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

// notSignificantlyWorse returns the places that are not significantly worse than the best of them.
func (c *curve) notSignificantlyWorse(places []int, right []int64, alpha float64, seed uint64) (kept []int) {
	most := int64(0)
	for _, p := range places {
		most = max(most, right[p])
	}
	steps := c.steps(places)
	reached := make([]int, len(places)) // samples in which the maximum lead is at least as large
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

// steps returns the changes of cases between each place and the previous one; none for the first.
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

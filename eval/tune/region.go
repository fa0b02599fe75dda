package tune

import (
	"math/rand/v2"
	"slices"
)

// replications of the signs, and how many places are tested at most.
const (
	replications = 999
	maxTested    = 400
)

// run are places in a row.
type run struct{ from, to int }

// region are the runs of places that are not proven to be worse than the best one at
// 95 %. A place is, where the best one is ahead of it by more than any would
// be in 95 of 100 samples if all were equally good: the best one is the most of
// luck, too, so that the lead of the luckiest counts, and not that of one that was
// named before.
//
// The samples toss a coin for every case, as [stats.Paired] does: where thresholds
// are equally good, a case is as likely to be gained as to be lost between them.
// What is proven to be worse leaves, so that it does not stand for luck, and the rest
// is tested among itself until none leaves (Hansen, Lunde & Nason, «The model
// confidence set», Econometrica 79, 2011).
func (c *curve) region(right []int64, seed uint64) (runs []run) {
	all := c.tested(right)
	kept := c.unproven(all, right, 1-level, seed)
	for tested := all; len(kept) < len(tested); {
		tested, kept = kept, c.unproven(kept, right, 1-level, seed)
	}
	next := -1 // of all, that which goes on with the last run
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

// tested are the places to test: all, or so many of them that stand evenly, and the
// best.
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

// unproven are the places that are not proven to be worse than the best of them.
func (c *curve) unproven(places []int, right []int64, alpha float64, seed uint64) (kept []int) {
	most := int64(0)
	for _, p := range places {
		most = max(most, right[p])
	}
	steps := c.steps(places)
	reached := make([]int, len(places)) // in how many samples the luckiest leads by as much
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
				if signs[s.of>>6]>>(s.of&63)&1 == 1 {
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

// steps are what becomes of cases on the way to each of the places from the one
// before it; those of the first are none.
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

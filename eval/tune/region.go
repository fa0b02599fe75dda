package tune

import (
	"math"
	"math/rand/v2"
	"slices"
)

// replications is the number of random samples of a significance test. maxTested is the maximum
// number of threshold ranges that are tested, and maxPairTested of those that are compared in pairs.
const (
	replications  = 999
	maxTested     = 400
	maxPairTested = 100
)

// significanceTest is a way to find the threshold ranges that are significantly worse than others.
type significanceTest int

const (
	signFlips   significanceTest = iota // of a sum over cases, see [curve.notSignificantlyWorse]
	influence                           // of a ratio of two sums, see [curve.byInfluence]
	permutation                         // of a share of turns that depend on the threshold, see [curve.byPermutation]
)

// run is a sequence of adjacent threshold ranges: their indexes, inclusive.
type run struct{ from, to int }

// region returns the threshold ranges that are not significantly worse than the best one, at the
// 95 % level. The distance of a range is how many more trials are right at the best one. A range is
// significantly worse if its distance is larger than the maximum distance in 95 % of random
// samples. The samples assume that all ranges are equally good. The maximum is used because the
// best range is selected from all.
//
// Each sample gives every case a random sign, as in [stats.PairedAccuracy]: if two thresholds are
// equally good, a case is equally likely to be fixed or broken by the change. Significantly worse
// ranges are removed, and the others are tested again until none is removed.
//
// Source: Hansen, Lunde & Nason, "The model confidence set", Econometrica 79 (2011).
//
// This applies to accuracy and to all other objectives that are sums over cases. Ratios have tests of
// their own, see [significanceTest]. Ranges that violate the limit of the objective, or whose
// objective is undefined, are left out.
func (c *curve) region(scores []float64, seed uint64) (runs []run) {
	most := maxTested
	var test func(places []int) []int
	switch c.goal.goal().test {
	case permutation:
		most = maxPairTested
		test = func(places []int) []int { return c.byPermutation(places, 1-level, seed) }
	case influence:
		test = func(places []int) []int { return c.byInfluence(places, scores, 1-level, seed) }
	default:
		weights := c.caseWeights(slices.Index(scores, slices.Max(scores)))
		test = func(places []int) []int { return c.notSignificantlyWorse(places, scores, weights, 1-level, seed) }
	}
	tested := c.tested(scores, most)
	kept := test(tested)
	for left := tested; len(kept) < len(left); {
		left, kept = kept, test(kept)
	}
	next := -1 // index in tested of the threshold range that would continue the last run
	for i, p := range tested {
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

// tested returns the indexes of the threshold ranges to test: all of them or, if there are more than
// most, evenly spaced ones with the best and the last.
func (c *curve) tested(scores []float64, most int) (list []int) {
	best := slices.Index(scores, slices.Max(scores))
	step := 1 + (len(scores)-1)/most
	for i, s := range scores {
		if (i%step == 0 || i == best || i == len(scores)-1) && !math.IsInf(s, -1) {
			list = append(list, i)
		}
	}
	return list
}

// caseWeights is the objective as a sum over cases: how much each case adds to it per unit
// of each channel. scale is the value of one unit, which makes the weights of accuracy exactly 1.
type caseWeights struct {
	of    [channels][]float64 // by stratum; nil: the channel does not count
	scale float64
}

// caseWeights returns the weights; the place can be any one with a defined objective.
func (c *curve) caseWeights(place int) (w caseWeights) {
	m, in := c.goal.goal(), c.goal.mix
	sums := c.sumsAt(func(int) int { return place })
	parts := c.partsOf(m, in, sums, sums)
	for _, ch := range m.channels(in) {
		n := make([]float64, c.strata(ch))
		for i, one := range c.cases {
			n[c.stratum(ch, i)] += float64(one.most[ch])
		}
		w.of[ch] = make([]float64, len(n))
		for s := range n {
			if n[s] == 0 {
				continue
			}
			if w.scale == 0 {
				w.scale = 1 / n[s]
			}
			w.of[ch][s] = parts[0].slope / n[s] / w.scale
			if m.lowerIsBetter {
				w.of[ch][s] = -w.of[ch][s]
			}
			parts = parts[1:]
		}
	}
	return w
}

// stepOf returns how much the change of a case adds to the objective, in units of w.scale.
func (c *curve) stepOf(j jump, w caseWeights) (sum float64) {
	for ch, weights := range w.of {
		if weights != nil {
			sum += weights[c.stratum(channel(ch), j.caseIndex)] * float64(j.delta[ch])
		}
	}
	return sum
}

// notSignificantlyWorse returns those of the threshold ranges that are not significantly worse than
// the best of them. places contains their indexes.
func (c *curve) notSignificantlyWorse(places []int, scores []float64, w caseWeights, alpha float64,
	seed uint64) (kept []int) {
	most := math.Inf(-1)
	for _, p := range places {
		most = max(most, scores[p])
	}
	steps := c.steps(places, w)
	reached := make([]int, len(places)) // number of samples whose maximum distance is at least that of the range
	walk := make([]float64, len(places))
	random := rand.New(rand.NewPCG(seed, 0x7475_6e65))
	signs := make([]uint64, (len(c.cases)+63)/64)
	for range replications {
		for i := range signs {
			signs[i] = random.Uint64()
		}
		top := 0.0
		for i := range places {
			if i > 0 {
				walk[i] = walk[i-1]
			}
			for _, s := range steps[i] {
				if signs[s.caseIndex>>6]>>(s.caseIndex&63)&1 == 1 {
					walk[i] += s.by
				} else {
					walk[i] -= s.by
				}
			}
			top = max(top, walk[i])
		}
		for i, p := range places {
			if (top-walk[i])*w.scale >= most-scores[p]-stepRounding {
				reached[i]++
			}
		}
	}
	return placesReached(places, reached, alpha)
}

// placesReached returns the places whose distance was reached in more than a share alpha of the
// random samples. The observed distance counts as one of them.
func placesReached(places, reached []int, alpha float64) (kept []int) {
	for i, p := range places {
		if float64(reached[i]+1) > alpha*float64(replications+1) {
			kept = append(kept, p)
		}
	}
	return kept
}

// step is how much a case changes the objective from one threshold range to the next.
type step struct {
	caseIndex int
	by        float64
}

// stepRounding is the difference below which two objectives are equal in a significance test.
const stepRounding = 1e-9

// steps returns, for each threshold range in the list, the changes of cases since the previous
// range in the list.
func (c *curve) steps(places []int, w caseWeights) [][]step {
	list := make([][]step, len(places))
	i := 0
	for _, j := range c.jumps {
		for i < len(places) && places[i] <= j.cut {
			i++
		}
		if i == 0 || i == len(places) {
			continue
		}
		if by := c.stepOf(j, w); by != 0 {
			list[i] = append(list[i], step{caseIndex: j.caseIndex, by: by})
		}
	}
	return list
}

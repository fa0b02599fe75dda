package tune

import (
	"math/rand/v2"
	"slices"
)

// byInfluence returns those of the threshold ranges whose objective, a ratio, is not significantly
// lower than that of the best of them. places contains their indexes.
//
// Each sample gives every case a random sign and adds up the signed influence of the cases on the
// objective, for each range. The influence of a case is its first-order effect: the slopes of the
// objective at this range times the case's deviation from the rates. It contains all cases, because
// the objective weights a case differently at each range even if its result is the same. An observed
// distance is compared with the largest distance of any two ranges in a sample. If all ranges are
// equally good, all of them therefore remain with a probability of 95 %.
//
// Source: multiplier bootstrap of an empirical process, van der Vaart & Wellner, "Weak convergence
// and empirical processes" (1996), ch. 2.9.
func (c *curve) byInfluence(places []int, scores []float64, alpha float64, seed uint64) []int {
	m := c.goal.goal()
	used := m.channels(c.goal.mix)
	slopes := make([]rates, len(places)) // of the objective per turn, by channel
	at := make([]rates, len(places))
	var turns [channels]float64
	for _, one := range c.cases {
		for _, ch := range used {
			turns[ch] += float64(one.most[ch])
		}
	}
	next := 0
	c.scan(used, all, func(place int, r *rates) {
		if next == len(places) || places[next] != place {
			return
		}
		at[next] = *r
		for _, ch := range used {
			moved := func(by float64) float64 {
				v := *r
				v.of[ch] += by
				return m.oriented(m.value(v, c.goal.mix))
			}
			slopes[next].of[ch] = (moved(slopeStep) - moved(-slopeStep)) / (2 * slopeStep) / turns[ch]
		}
		next++
	})
	best := scores[places[0]]
	for _, p := range places {
		best = max(best, scores[p])
	}
	steps := c.changes(places)
	reached := make([]int, len(places))
	walk := make([]float64, len(places))
	random := rand.New(rand.NewPCG(seed, 0x696e_666c))
	signs := make([]float64, len(c.cases))
	for range replications {
		var sum, most [channels]float64
		for i, one := range c.cases {
			signs[i] = float64(2*random.Uint64N(2)) - 1
			for _, ch := range used {
				sum[ch] += signs[i] * float64(one.base[ch])
				most[ch] += signs[i] * float64(one.most[ch])
			}
		}
		for i := range places {
			for _, j := range steps[i] {
				for _, ch := range used {
					sum[ch] += signs[j.caseIndex] * float64(j.delta[ch])
				}
			}
			walk[i] = 0
			for _, ch := range used {
				walk[i] += slopes[i].of[ch] * (sum[ch] - at[i].of[ch]*most[ch])
			}
		}
		largest := slices.Max(walk) - slices.Min(walk)
		for i, p := range places {
			if largest >= best-scores[p]-stepRounding {
				reached[i]++
			}
		}
	}
	return placesReached(places, reached, alpha)
}

// changes returns, for each threshold range in the list, the jumps since the previous one, and for
// the first all jumps up to it.
func (c *curve) changes(places []int) [][]jump {
	list := make([][]jump, len(places))
	from := 0
	for i, p := range places {
		to := from
		for to < len(c.jumps) && c.jumps[to].cut < p {
			to++
		}
		list[i] = c.jumps[from:to]
		from = to
	}
	return list
}

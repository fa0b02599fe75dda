package tune

import (
	"math/rand/v2"
	"slices"
)

// byPermutation returns those of the threshold ranges whose precision is not significantly lower
// than that of the best of them. places contains their indexes.
//
// If the ranges are equally precise, a turn that gets the out-of-scope label is as likely to deserve
// it at one of them as at another. Each sample therefore permutes which of these turns are right: a
// permutation test. The distance of a range is the largest z statistic of two proportions by which
// another range is better. It accounts for the number of turns, which can be 1 at one range and
// 1,000 at another. A range with few turns that are all right thus does not exclude the others.
// An observed distance is compared with the largest distance of any range in a sample. If all ranges
// are equally good, all of them therefore remain with a probability of 95 %.
//
// The test does not depend on the expected share of out-of-scope turns: weights of the two classes
// change the precision of all ranges but not their order.
func (c *curve) byPermutation(places []int, alpha float64, seed uint64) []int {
	steps, isRight := c.predictions(places)
	right, all := make([]float64, len(places)), make([]float64, len(places))
	count := func() {
		var r, n float64
		for i, list := range steps {
			for _, s := range list {
				n += s.turns
				if isRight[s.group] {
					r += s.turns
				}
			}
			right[i], all[i] = r, n
		}
	}
	distances := func(into []float64) {
		for p := range places {
			into[p] = 0
			share := right[p] / all[p]
			for q := range places {
				if d := right[q]/all[q] - share; d > 0 {
					pooled := (right[p] + right[q]) / (all[p] + all[q])
					into[p] = max(into[p], d*d/(pooled*(1-pooled)*(1/all[p]+1/all[q])))
				}
			}
		}
	}
	observed, sampled := make([]float64, len(places)), make([]float64, len(places))
	count()
	distances(observed)
	reached := make([]int, len(places))
	random := rand.New(rand.NewPCG(seed, 0x7072_6563))
	for range replications {
		random.Shuffle(len(isRight), func(i, j int) { isRight[i], isRight[j] = isRight[j], isRight[i] })
		count()
		distances(sampled)
		top := slices.Max(sampled)
		for i, distance := range observed {
			if top >= distance-stepRounding {
				reached[i]++
			}
		}
	}
	return placesReached(places, reached, alpha)
}

// prediction is a change of how many turns of a group get the out-of-scope label. A group contains
// the turns of a case that belong to one class, in all epochs: either all of them deserve the label
// or none.
type prediction struct {
	group int
	turns float64
}

// predictions returns, for each threshold range in the list, the changes since the previous one, and
// for the first all turns that get the out-of-scope label. isRight reports which groups deserve it.
func (c *curve) predictions(places []int) (steps [][]prediction, isRight []bool) {
	steps = make([][]prediction, len(places))
	type key struct {
		caseIndex int
		channel
	}
	groups := map[key]int{}
	add := func(i, caseIndex int, changes [channels]int64) {
		for _, ch := range oosDecisions(c.goal.mix) {
			if changes[ch] == 0 {
				continue
			}
			k := key{caseIndex, ch}
			group, found := groups[k]
			if !found {
				group = len(isRight)
				groups[k] = group
				isRight = append(isRight, ch == oosRight)
			}
			steps[i] = append(steps[i], prediction{group: group, turns: float64(changes[ch])})
		}
	}
	for i, one := range c.cases {
		add(0, i, one.base)
	}
	i := 0
	for _, j := range c.jumps {
		for i < len(places) && places[i] <= j.cut {
			i++
		}
		if i == len(places) {
			break
		}
		add(i, j.caseIndex, j.delta)
	}
	return steps, isRight
}

package datasets

import (
	"math"
	"slices"
)

// join finds all pairs of similar multisets without comparing all pairs. Elements
// are numbered from the rarest to the most frequent. Two sets that have enough
// in common must share an element among the first few of each, their prefixes:
// only such pairs are compared. Exact.
//
//   - prefix filter: Chaudhuri, Ganti, Kaushik, A Primitive Operator for
//     Similarity Joins in Data Cleaning, ICDE 2006
//   - sets taken by size, shorter prefixes in the index: Bayardo, Ma, Srikant,
//     Scaling Up All Pairs Similarity Search, WWW 2007
//   - bound by the place of the first shared element: Xiao, Wang, Lin, Yu,
//     Efficient Similarity Joins for Near Duplicate Detection, WWW 2008
type join struct {
	sets      [][]int32 // each ascending, with repetitions
	threshold float64
	index     [][]posting // by element, smaller sets first
	from      []int       // by element: where its postings begin to be large enough
	compared  []int32     // by set: the last one it was compared with, plus 1
}

// posting is where in a set an element stands.
type posting struct{ set, at int32 }

func newJoin(sets [][]int32, elements int, threshold float64) *join {
	return &join{sets: sets, threshold: threshold, index: make([][]posting, elements),
		from: make([]int, elements), compared: make([]int32, len(sets))}
}

// run returns the pairs, the most similar first, and whether they are all.
func (j *join) run(atMost int) (found []match, complete bool) {
	for _, x := range sizes(j.sets) {
		found = j.probe(x, found, atMost+1)
		if len(found) > atMost {
			found, complete = found[:atMost], false
			slices.SortFunc(found, byAlikeness)
			return found, complete
		}
		j.add(x)
	}
	slices.SortFunc(found, byAlikeness)
	return found, true
}

// probe compares x with the sets of the index that may be similar.
func (j *join) probe(x int32, found []match, atMost int) []match {
	set := j.sets[x]
	least := atLeast(j.threshold * float64(len(set))) // size of a similar set
	for at, element := range set[:prefix(set, least)] {
		list := j.index[element]
		for j.from[element] < len(list) && len(j.sets[list[j.from[element]].set]) < least {
			j.from[element]++
		}
		for _, p := range list[j.from[element]:] {
			if j.compared[p.set] == x+1 {
				continue // judged at an earlier shared element
			}
			j.compared[p.set] = x + 1
			if s := j.similarity(set, at, j.sets[p.set], int(p.at)); s >= j.threshold {
				found = append(found, match{a: min(x, p.set), b: max(x, p.set), similarity: s})
			}
			if len(found) == atMost {
				return found
			}
		}
	}
	return found
}

// add puts the prefix of x into the index, for larger sets to find.
func (j *join) add(x int32) {
	set := j.sets[x]
	shared := atLeast(2 * j.threshold / (1 + j.threshold) * float64(len(set))) // with a similar set not smaller
	for at, element := range set[:prefix(set, shared)] {
		j.index[element] = append(j.index[element], posting{x, int32(at)})
	}
}

// similarity is the Jaccard similarity of two sets whose first shared element
// stands at i and k; 0 where it cannot reach the threshold.
func (j *join) similarity(x []int32, i int, y []int32, k int) float64 {
	both := len(x) + len(y)
	needed := atLeast(j.threshold / (1 + j.threshold) * float64(both))
	shared := 0
	for i < len(x) && k < len(y) && shared+min(len(x)-i, len(y)-k) >= needed {
		switch {
		case x[i] < y[k]:
			i++
		case x[i] > y[k]:
			k++
		default:
			shared, i, k = shared+1, i+1, k+1
		}
	}
	if shared < needed {
		return 0
	}
	return float64(shared) / float64(both-shared)
}

// prefix is how many elements may be unshared, plus one, where least are shared.
func prefix(set []int32, least int) int { return min(len(set), len(set)-least+1) }

// atLeast rounds up, but not what is a whole number save for rounding: a bound
// that is too low costs a comparison, one too high a pair.
func atLeast(v float64) int { return max(1, int(math.Ceil(v-1e-6))) }

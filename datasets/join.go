package datasets

import (
	"math"
	"slices"
)

// join finds all pairs of similar multisets without comparing all pairs. Elements are numbered from
// the rarest to the most frequent. Two sets with enough common elements must share one among the
// first few of each, their prefixes; only such pairs are compared. The result is exact.
//
// Prefix filter: Chaudhuri, Ganti, Kaushik, A Primitive Operator for Similarity Joins in Data
// Cleaning, ICDE 2006.
//
// Sets in order of size, shorter prefixes in the index: Bayardo, Ma, Srikant, Scaling Up All Pairs
// Similarity Search, WWW 2007.
//
// Bound by the position of the first shared element: Xiao, Wang, Lin, Yu, Efficient Similarity
// Joins for Near Duplicate Detection, WWW 2008.
type join struct {
	sets      [][]int32 // each ascending, with repetitions
	threshold float64
	index     [][]posting // by element, smaller sets first
	from      []int       // by element: first posting of a sufficiently large set
	compared  []int32     // by set: the last one it was compared with, plus 1
}

// posting is the position of an element in a set.
type posting struct{ set, at int32 }

func newJoin(sets [][]int32, elements int, threshold float64) *join {
	return &join{
		sets:      sets,
		threshold: threshold,
		index:     make([][]posting, elements),
		from:      make([]int, elements),
		compared:  make([]int32, len(sets)),
	}
}

// run returns the pairs, the most similar first, and whether they are complete.
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
				continue // compared at an earlier shared element
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

// add adds the prefix of x to the index, for later and larger sets.
func (j *join) add(x int32) {
	set := j.sets[x]
	// with a similar set that is not smaller
	shared := atLeast(2 * j.threshold / (1 + j.threshold) * float64(len(set)))
	for at, element := range set[:prefix(set, shared)] {
		j.index[element] = append(j.index[element], posting{x, int32(at)})
	}
}

// similarity returns the Jaccard similarity of two sets whose first shared element is at i and k; 0
// if it cannot reach the threshold.
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

// prefix returns the prefix length for sets that share at least this many elements.
func prefix(set []int32, least int) int { return min(len(set), len(set)-least+1) }

// atLeast rounds up, with a tolerance for rounding errors. A bound that is too low costs a
// comparison; one that is too high loses a pair.
func atLeast(v float64) int { return max(1, int(math.Ceil(v-1e-6))) }

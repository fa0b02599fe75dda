package datasets

import (
	"math"
	"slices"
)

// join finds all pairs of similar multisets without comparing all pairs. It is used to find
// near-duplicate texts, as multisets of bigrams. Elements are numbered from the rarest to the most
// frequent. Two similar multisets share at least one of their rarest elements, so only pairs that
// do are compared. No pair is missed.
//
// Comparing only sets that share an element of their prefixes: Chaudhuri, Ganti, Kaushik, A
// Primitive Operator for Similarity Joins in Data Cleaning, ICDE 2006.
//
// Processing sets by size, which allows shorter prefixes in the index: Bayardo, Ma, Srikant,
// Scaling Up All Pairs Similarity Search, WWW 2007.
//
// Using the position of the first shared element as a bound: Xiao, Wang, Lin, Yu, Efficient
// Similarity Joins for Near Duplicate Detection, WWW 2008.
type join struct {
	sets      [][]int32 // the multisets, each sorted
	threshold float64
	index     [][]posting // for each element, where it occurs in prefixes; smaller sets first
	from      []int       // for each element, the first entry of index whose set is large enough to be similar
	compared  []int32     // for each set, the number plus 1 of the set that it was last compared with
}

// posting is an occurrence of an element: the number of the set and the position in it.
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

// run returns at most atMost pairs, the most similar first. complete is false if there are more.
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

// probe compares set x with the indexed sets that may be similar, and appends similar pairs.
func (j *join) probe(x int32, found []match, atMost int) []match {
	set := j.sets[x]
	least := atLeast(j.threshold * float64(len(set))) // minimum size of a similar set
	for at, element := range set[:prefix(set, least)] {
		list := j.index[element]
		for j.from[element] < len(list) && len(j.sets[list[j.from[element]].set]) < least {
			j.from[element]++
		}
		for _, p := range list[j.from[element]:] {
			if j.compared[p.set] == x+1 {
				continue // the pair was already compared because of an earlier shared element
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

// add adds the prefix of set x to the index. Sets that are processed later are at least as large.
func (j *join) add(x int32) {
	set := j.sets[x]
	// minimum number of elements that a set shares with a similar set of at least its size
	shared := atLeast(2 * j.threshold / (1 + j.threshold) * float64(len(set)))
	for at, element := range set[:prefix(set, shared)] {
		j.index[element] = append(j.index[element], posting{x, int32(at)})
	}
}

// similarity returns the Jaccard similarity of two sets. It returns 0 if the similarity is below
// the threshold. i and k are the positions of their first shared element.
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

// prefix returns the length of the prefix that a set must be indexed or searched with. Any set that
// shares at least least elements with it then has one of the prefix.
func prefix(set []int32, least int) int { return min(len(set), len(set)-least+1) }

// atLeast rounds a bound up. It subtracts a tolerance first: a bound that is too low costs only a
// comparison, but one that is too high would lose a pair.
func atLeast(v float64) int { return max(1, int(math.Ceil(v-1e-6))) }

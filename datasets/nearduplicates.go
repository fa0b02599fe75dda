package datasets

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// NearDuplicateThreshold is the similarity, from 0 to 1, at which two cases count as
// near-duplicates. They must not be in different splits.
const NearDuplicateThreshold = 0.8

// SimilarPair contains two cases of a dataset with similar texts. A comes before B in the file.
type SimilarPair struct {
	A, B       CaseRef // the two cases
	Similarity float64 // Jaccard similarity of the bigrams of both texts, above 0; 1: identical
}

// CaseRef identifies a case by its ID and its split.
type CaseRef struct{ ID, Split string }

// maxPairs limits the result, which can grow with the square of the number of cases.
const maxPairs = 100_000

// ErrTooManyPairs is returned by NearDuplicates, together with the pairs that were found, if there
// are more than maxPairs.
var ErrTooManyPairs = errors.New("more than 100000 pairs of near-duplicates")

// NearDuplicates returns all pairs of cases whose user texts have at least the similarity
// threshold, which must be above 0 and at most 1. The most similar pair is first. It compares the
// texts of all turns, in lower case and without spaces. Cases without text are omitted.
func (d *Dataset) NearDuplicates(threshold float64) ([]SimilarPair, error) {
	if !(threshold > 0 && threshold <= 1) {
		return nil, fmt.Errorf("threshold %v of near-duplicates is not above 0 and at most 1", threshold)
	}
	words := vocabulary{ids: map[gram]int32{}}
	var refs []CaseRef
	var sets [][]int32
	for c, err := range d.Stream(Filter{}) {
		if err != nil {
			return nil, err
		}
		refs = append(refs, CaseRef{ID: c.ID, Split: c.Split})
		sets = append(sets, words.add(bigrams(userText(c))))
	}
	words.byRarity(sets)
	found, complete := newJoin(sets, len(words.uses), threshold).run(maxPairs)
	pairs := make([]SimilarPair, len(found))
	for i, f := range found {
		pairs[i] = SimilarPair{A: refs[f.a], B: refs[f.b], Similarity: f.similarity}
	}
	if !complete {
		return pairs, fmt.Errorf("dataset %s: %w", oneLine(d.Name), ErrTooManyPairs)
	}
	return pairs, nil
}

// match is a pair of similar sets. a and b are their numbers, and a < b.
type match struct {
	a, b       int32
	similarity float64
}

func byAlikeness(x, y match) int {
	return cmp.Or(cmp.Compare(y.similarity, x.similarity), cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b))
}

// sizes returns the numbers of the sets, sorted by the size of the set, the smallest first.
func sizes(sets [][]int32) []int32 {
	order := make([]int32, len(sets))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(len(sets[a]), len(sets[b])) })
	return order
}

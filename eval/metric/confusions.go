package metric

import (
	"cmp"
	"slices"

	"evalctl/eval"
)

// How much of the confusion a summary shows.
const (
	maxPairs     = 10
	casesPerPair = 5
)

// confused counts the kinds of wrong answers, and remembers a few cases of each.
type confused map[pair]*mistakes

type pair struct{ expected, predicted string }

type mistakes struct {
	n     int64
	cases []string
}

// add keeps the first cases in the order of their ids, so that the order of
// results does not matter.
func (m *confused) add(p pair, id string) {
	if *m == nil {
		*m = confused{}
	}
	if (*m)[p] == nil {
		(*m)[p] = &mistakes{}
	}
	found := (*m)[p]
	found.n++
	at, there := slices.BinarySearch(found.cases, id)
	if there || at == casesPerPair {
		return
	}
	found.cases = slices.Insert(found.cases, at, id)
	found.cases = found.cases[:min(len(found.cases), casesPerPair)]
}

// pairs are the most frequent kinds, equals by label.
func (m confused) pairs() []eval.ConfusedPair {
	var list []eval.ConfusedPair
	for p, found := range m {
		list = append(list, eval.ConfusedPair{Expected: p.expected, Predicted: p.predicted, N: found.n, Cases: found.cases})
	}
	slices.SortFunc(list, func(a, b eval.ConfusedPair) int {
		return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Expected, b.Expected), cmp.Compare(a.Predicted, b.Predicted))
	})
	return list[:min(len(list), maxPairs)]
}

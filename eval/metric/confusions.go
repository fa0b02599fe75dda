package metric

import (
	"cmp"
	"slices"

	"evalctl/eval"
)

// Limits of the list of confusions in a summary.
const (
	maxPairs     = 10
	casesPerPair = 5
)

// confusions counts wrong decisions by expected and predicted label, with a few example cases for
// each pair.
type confusions map[pair]*mistakes

type pair struct{ expected, predicted string }

type mistakes struct {
	n     int64
	cases []string
}

// add counts a wrong decision. It stores the first case ids in sorted order, so the result does not
// depend on the order of the trials.
func (m *confusions) add(p pair, id string) {
	if *m == nil {
		*m = confusions{}
	}
	if (*m)[p] == nil {
		(*m)[p] = &mistakes{}
	}
	found := (*m)[p]
	found.n++
	at, exists := slices.BinarySearch(found.cases, id)
	if exists || at == casesPerPair {
		return
	}
	found.cases = slices.Insert(found.cases, at, id)
	found.cases = found.cases[:min(len(found.cases), casesPerPair)]
}

// pairs returns the most frequent confusions, in descending order; ties are sorted by label.
func (m confusions) pairs() []eval.ConfusedPair {
	var list []eval.ConfusedPair
	for p, found := range m {
		list = append(list, eval.ConfusedPair{
			Expected:  p.expected,
			Predicted: p.predicted,
			N:         found.n,
			Cases:     found.cases,
		})
	}
	slices.SortFunc(list, func(a, b eval.ConfusedPair) int {
		return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Expected, b.Expected), cmp.Compare(a.Predicted, b.Predicted))
	})
	return list[:min(len(list), maxPairs)]
}

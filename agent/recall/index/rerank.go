package index

import (
	"slices"
	"strings"

	"evalctl/agent/fulltext"
)

// Weights of the parts of a rank.
const (
	termWeight  = 0.6
	orderWeight = 0.4
)

// rerank replaces the vector similarity by a rank without a model: how many terms of the question a
// passage contains, and how many pairs of neighboring terms follow each other as in the question.
func (s search) rerank(hits []hit) error {
	if len(s.terms) == 0 {
		return nil
	}
	for i, h := range hits {
		var folded string
		if err := s.row("SELECT folded FROM passages WHERE number = ?", h.passage, &folded); err != nil {
			return err
		}
		hits[i].vector = rounded(rank(s.terms, folded))
	}
	return nil
}

// rank returns 1 if all terms occur in order.
func rank(terms []string, folded string) float64 {
	held, inOrder := 0, 0
	var before []int
	for _, t := range terms {
		at := places(t, folded)
		if len(at) > 0 {
			held++
		}
		if followsClosely(before, at) {
			inOrder++
		}
		before = at
	}
	share := float64(held) / float64(len(terms))
	if len(terms) == 1 {
		return share
	}
	return termWeight*share + orderWeight*float64(inOrder)/float64(len(terms)-1)
}

// places returns the positions of a term.
func places(term, folded string) (at []int) {
	if !fulltext.IsUnsegmented([]rune(term)[0]) {
		term = " " + term + " "
	}
	for from := 0; ; {
		i := strings.Index(folded[from:], term)
		if i < 0 {
			return at
		}
		at = append(at, from+i)
		from += i + 1
	}
}

// followsClosely reports whether one of the second positions is shortly after one of the first.
func followsClosely(first, second []int) bool {
	const near = 32 // bytes: about ten characters, or four words
	return slices.ContainsFunc(first, func(a int) bool {
		return slices.ContainsFunc(second, func(b int) bool { return b > a && b-a <= near })
	})
}

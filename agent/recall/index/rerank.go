package index

import (
	"slices"
	"strings"

	"evalctl/agent/fulltext"
)

// Weights of the two components of a rank: how many terms match, and whether their order matches.
const (
	termWeight  = 0.6
	orderWeight = 0.4
)

// rerank replaces the vector similarity of each hit with a score that imitates a reranking model.
// The score counts how many terms of the question a passage contains, and how many neighboring
// terms occur in the same order.
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

// rank returns the score of a passage in 0..1. The score is 1 if the normalized text contains all
// terms in order.
func rank(terms []string, folded string) float64 {
	held, inOrder := 0, 0
	var before []int
	for _, t := range terms {
		at := offsetsOf(t, folded)
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

// offsetsOf returns the byte offsets at which a term occurs in a normalized text.
func offsetsOf(term, folded string) (at []int) {
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

// followsClosely reports whether an offset in second is at most 32 bytes after an offset in first.
func followsClosely(first, second []int) bool {
	const near = 32 // in bytes: about ten Chinese characters or four English words
	return slices.ContainsFunc(first, func(a int) bool {
		return slices.ContainsFunc(second, func(b int) bool { return b > a && b-a <= near })
	})
}

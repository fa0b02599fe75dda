package index

import (
	"encoding/binary"
	"math"

	"evalctl/agent/fulltext"
)

// scores are how similar the passages are to the question by their words: BM25 (Robertson
// and Zaragoza, The Probabilistic Relevance Framework, 2009; k₁ 1.2, b 0.75) as a share r
// of what a passage of mean length has that holds each term once, as tanh r. The share is
// RAGFlow's measure of terms, in which a passage that holds them all has 1; tanh leaves
// the order of BM25 alone, and keeps below 1 what repeats them. Two Chinese characters
// that stand together nowhere are taken for no word, and do not count.
func (s search) scores() ([]float64, error) {
	const k, b = 1.2, 0.75
	sums, whole := make([]float64, s.x.Size()), 0.0
	for _, term := range s.terms {
		list, err := s.list(term)
		if err != nil {
			return nil, err
		}
		if len(list) == 0 && fulltext.IsChinese([]rune(term)[0]) {
			continue
		}
		n, holders := float64(len(sums)), float64(len(list))
		rarity := math.Log(1 + (n-holders+0.5)/(holders+0.5))
		whole += rarity
		for _, p := range list {
			sums[p.passage] += rarity * p.count * (k + 1) / (p.count + k*(1-b+b*s.x.lengths[p.passage]/s.x.mean))
		}
	}
	for i, sum := range sums {
		if sum > 0 {
			sums[i] = rounded(math.Tanh(sum / whole))
		}
	}
	return sums, nil
}

// holder is a passage that holds a term, so many times.
type holder struct {
	passage int
	count   float64
}

// list are the passages that hold a term.
func (s search) list(term string) (all []holder, err error) {
	var b []byte
	if err := s.row("SELECT list FROM terms WHERE term = ?", term, &b); err != nil {
		return nil, err
	}
	for passage := -1; len(b) > 0; {
		step, n := binary.Uvarint(b)
		count, m := binary.Uvarint(b[n:])
		passage, b = passage+int(step), b[n+m:]
		all = append(all, holder{passage, float64(count)})
	}
	return all, nil
}

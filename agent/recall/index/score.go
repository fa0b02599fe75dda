package index

import (
	"encoding/binary"
	"iter"
	"math"
	"slices"
	"sync"

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
	ranges := s.ranges()
	for _, term := range s.terms {
		list, err := s.list(term)
		if err != nil {
			return nil, err
		}
		if len(list) == 0 && fulltext.IsUnsegmented([]rune(term)[0]) {
			continue
		}
		n, holders := float64(len(sums)), float64(len(list))
		rarity := math.Log(1 + (n-holders+0.5)/(holders+0.5))
		whole += rarity
		for p := range among(list, ranges) {
			sums[p.passage] += rarity * p.count * (k + 1) / (p.count + k*(1-b+b*s.x.lengths[p.passage]/s.x.mean))
		}
	}
	for _, r := range ranges {
		for i := r.first; i < r.end; i++ {
			if sums[i] > 0 {
				sums[i] = rounded(math.Tanh(sums[i] / whole))
			}
		}
	}
	return sums, nil
}

// ranges are the passages that are searched, by document.
func (s search) ranges() []document {
	if len(s.q.Documents) == 0 {
		return s.x.documents
	}
	var some []document
	for _, id := range slices.Compact(slices.Sorted(slices.Values(s.q.Documents))) {
		if n, ok := s.x.numbers[id]; ok {
			some = append(some, s.x.documents[n])
		}
	}
	return some
}

// among are the holders that are in one of the ranges.
func among(list []holder, ranges []document) iter.Seq[holder] {
	return func(yield func(holder) bool) {
		for _, r := range ranges {
			at, _ := slices.BinarySearchFunc(list, r.first, func(h holder, first int) int { return h.passage - first })
			for ; at < len(list) && list[at].passage < r.end; at++ {
				if !yield(list[at]) {
					return
				}
			}
		}
	}
}

// holder is a passage that holds a term, so many times.
type holder struct {
	passage int
	count   float64
}

// mostHolders bounds what is kept of the lists that were looked up, of all terms.
const mostHolders = 1 << 20

// lookedUp keeps lists: the same few questions are asked of one document after the other.
type lookedUp struct {
	mu      sync.Mutex
	lists   map[string][]holder
	holders int
}

func (l *lookedUp) get(term string) (list []holder, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	list, ok = l.lists[term]
	return list, ok
}

// put begins anew where there is too much.
func (l *lookedUp) put(term string, list []holder) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.holders += len(list) + 1; l.lists == nil || l.holders > mostHolders {
		l.lists, l.holders = map[string][]holder{}, len(list)+1
	}
	l.lists[term] = list
}

// list are the passages that hold a term, in order.
func (s search) list(term string) (all []holder, err error) {
	if known, ok := s.x.lookedUp.get(term); ok {
		return known, nil
	}
	defer func() {
		if err == nil {
			s.x.lookedUp.put(term, all)
		}
	}()
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

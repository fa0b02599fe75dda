package index

import (
	"encoding/binary"
	"iter"
	"math"
	"slices"
	"sync"

	"evalctl/agent/fulltext"
)

// scores returns the term similarity of each passage to the question, in 0..1. It is tanh(r). Here
// r is the passage's BM25 score divided by the score of a passage of mean length that contains each
// term once. This resembles RAGFlow's term similarity, which is 1 for a passage with all terms.
// tanh preserves the order, and limits the score of passages that repeat the terms.
//
// BM25 is defined in Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009; here k₁
// is 1.2 and b is 0.75. A pair of Chinese characters that occurs in no passage is not a word and is
// ignored.
func (s search) scores() ([]float64, error) {
	const k, b = 1.2, 0.75
	sums, whole := make([]float64, s.x.PassageCount()), 0.0
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
		for p := range inRanges(list, ranges) {
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

// ranges returns the documents to search. The fields first and end of each give its range of
// passages.
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

// inRanges returns the postings whose passages are in one of the ranges.
func inRanges(list []posting, ranges []document) iter.Seq[posting] {
	return func(yield func(posting) bool) {
		for _, r := range ranges {
			at, _ := slices.BinarySearchFunc(list, r.first, func(h posting, first int) int { return h.passage - first })
			for ; at < len(list) && list[at].passage < r.end; at++ {
				if !yield(list[at]) {
					return
				}
			}
		}
	}
}

// posting is a passage that contains a term, with the number of occurrences.
type posting struct {
	passage int
	count   float64
}

// maxCachedPostings limits the number of cached postings of all terms together.
const maxCachedPostings = 1 << 20

// termCache caches the postings of terms. It helps because the same questions are searched in many
// documents, one after another.
type termCache struct {
	mu      sync.Mutex
	lists   map[string][]posting
	holders int
}

func (l *termCache) get(term string) (list []posting, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	list, ok = l.lists[term]
	return list, ok
}

// put adds the postings of a term. It clears the cache first if the cache is full.
func (l *termCache) put(term string, list []posting) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.holders += len(list) + 1; l.lists == nil || l.holders > maxCachedPostings {
		l.lists, l.holders = map[string][]posting{}, len(list)+1
	}
	l.lists[term] = list
}

// list returns the postings of a term, ordered by passage.
func (s search) list(term string) (all []posting, err error) {
	if known, ok := s.x.termCache.get(term); ok {
		return known, nil
	}
	defer func() {
		if err == nil {
			s.x.termCache.put(term, all)
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
		all = append(all, posting{passage, float64(count)})
	}
	return all, nil
}

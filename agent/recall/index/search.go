package index

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"evalctl/agent/database"
	"evalctl/agent/knowledge"
	"evalctl/agent/recall"
)

// window is the number of best candidates that are reranked, rounded up to a multiple of the page
// size, as in RAGFlow.
const window = 64

// hit is a candidate passage with its similarities to the question.
type hit struct {
	passage                  int
	similarity, vector, term float64
}

// Search finds the passages that answer a question, as RAGFlow does. Candidates are all passages
// that contain a term of the question, and the TopK nearest ones by vector. The candidates are
// ordered by similarity and optionally reranked. Passages below the minimum similarity are removed.
// If VectorWeight is 0, only passages with similarity 0 are removed. Ties are resolved by the order
// of the documents.
//
// See scores for the term similarity and vectorSimilarity for the vector similarity.
func (x *Index) Search(ctx context.Context, q recall.Query) ([]recall.Chunk, error) {
	if err := q.Check(); err != nil {
		return nil, err
	}
	if strings.TrimSpace(q.Question) == "" || x.PassageCount() == 0 {
		return nil, nil
	}
	vector, err := x.embed(ctx, []string{q.Question})
	if err != nil {
		return nil, fmt.Errorf("search passages: %w", err)
	}
	if len(vector[0]) != x.width {
		return nil, fmt.Errorf("search passages: %s made a vector of %d dimensions, the passages' have %d",
			x.embedder.Name(), len(vector[0]), x.width)
	}
	var found []recall.Chunk
	err = x.db.View(ctx, func(tx *database.Tx) error {
		s := search{
			x:     x,
			tx:    tx,
			q:     q,
			terms: questionTerms(q.Question),
		}
		hits, err := s.hits(vector[0])
		if err == nil {
			found, err = s.chunks(hits)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("search passages: %w", err)
	}
	return found, nil
}

// search is the state of one call of Search.
type search struct {
	x     *Index
	tx    *database.Tx
	q     recall.Query
	terms []string
}

// hits returns the passages that answer the question with this vector, best first.
func (s search) hits(vector []float32) ([]hit, error) {
	terms, err := s.scores()
	if err != nil {
		return nil, err
	}
	hits := s.candidates(terms, vector)
	weigh(hits, s.q.VectorWeightOrDefault())
	n := s.q.TopNOrDefault()
	hits = hits[:min(len(hits), (window+n-1)/n*n)]
	if s.q.Reranker != "" {
		if err := s.rerank(hits); err != nil {
			return nil, err
		}
		weigh(hits, s.q.VectorWeightOrDefault())
	}
	least := s.q.ThresholdOrDefault()
	if s.q.VectorWeightOrDefault() <= 0 {
		least = 0
	}
	hits = slices.DeleteFunc(hits, func(h hit) bool { return h.similarity < least || h.similarity <= 0 })
	return hits[:min(len(hits), n)], nil
}

// candidates returns the passages of the requested documents that contain a term of the question or
// are among the nearest by vector. terms contains the term similarity of each passage.
func (s search) candidates(terms []float64, vector []float32) []hit {
	var all []hit
	documents, datasets := set(s.q.Documents), set(s.q.Datasets)
	for _, d := range s.x.documents {
		if documents != nil && !documents[d.id] || datasets != nil &&
			!slices.ContainsFunc(d.datasets, func(name string) bool { return datasets[name] }) {
			continue
		}
		for i := d.first; i < d.end; i++ {
			all = append(all, hit{passage: i, vector: s.x.vectorSimilarity(cosine(vector, s.x.vectors[i*s.x.width:])),
				term: terms[i]})
		}
	}
	pool := s.q.TopKOrDefault()
	if len(all) <= pool {
		return all
	}
	slices.SortFunc(all, func(a, b hit) int {
		return cmp.Or(cmp.Compare(b.vector, a.vector), cmp.Compare(a.passage, b.passage))
	})
	far := slices.DeleteFunc(all[pool:], func(h hit) bool { return h.term == 0 })
	return all[:pool+len(far)]
}

// set returns the names as a set; nil if there are no names, which means no restriction.
func set(names []string) map[string]bool {
	if len(names) == 0 {
		return nil
	}
	all := make(map[string]bool, len(names))
	for _, n := range names {
		all[n] = true
	}
	return all
}

// vectorSimilarity converts the cosine of two vectors to a similarity in 0..1. For vectors of
// HashEmbedder it is the square root of the cosine. Those cosines are low even for good passages,
// because a passage is longer than a question. The root makes them comparable with cosines of
// learned vectors, for which services choose their thresholds.
func (x *Index) vectorSimilarity(cosine float64) float64 {
	if _, ok := x.embedder.(knowledge.HashEmbedder); ok {
		return rounded(math.Sqrt(max(cosine, 0)))
	}
	return rounded(cosine)
}

// cosine returns the cosine of two vectors of length 1. b may be longer than a. Four partial sums
// are faster than one.
func cosine(a, b []float32) float64 {
	var sums [4]float32
	b = b[:len(a)]
	for ; len(a) >= 4 && len(b) >= 4; a, b = a[4:], b[4:] {
		sums[0] += a[0] * b[0]
		sums[1] += a[1] * b[1]
		sums[2] += a[2] * b[2]
		sums[3] += a[3] * b[3]
	}
	for i, c := range a {
		sums[0] += c * b[i]
	}
	return float64(sums[0] + sums[1] + sums[2] + sums[3])
}

// rounded limits a similarity to 0..1 and rounds it to six decimal places.
func rounded(x float64) float64 { return min(max(math.Round(x*1e6)/1e6, 0), 1) }

// weigh computes the weighted similarity of each hit and sorts the hits by it. weight is the weight
// of the vector similarity.
func weigh(hits []hit, weight float64) {
	for i, h := range hits {
		hits[i].similarity = rounded((1-weight)*h.term + weight*h.vector)
	}
	slices.SortFunc(hits, func(a, b hit) int {
		return cmp.Or(cmp.Compare(b.similarity, a.similarity), cmp.Compare(a.passage, b.passage))
	})
}

// chunks loads the texts of the hits and returns them as search results.
func (s search) chunks(hits []hit) ([]recall.Chunk, error) {
	found := make([]recall.Chunk, 0, len(hits))
	for _, h := range hits {
		d := s.x.documents[s.x.documentOf[h.passage]]
		p, err := s.passage(h.passage)
		if err != nil {
			return nil, err
		}
		found = append(found, recall.Chunk{
			ID:               p.ID,
			DocumentID:       d.id,
			DocumentName:     d.name,
			Content:          p.Text,
			Similarity:       h.similarity,
			VectorSimilarity: h.vector,
			TermSimilarity:   h.term,
		})
	}
	return found, nil
}

// passage loads a passage by its number.
func (s search) passage(number int) (p Passage, err error) {
	return p, s.row("SELECT id, text FROM passages WHERE number = ?", number, &p.ID, &p.Text)
}

// row runs an SQL query with one argument and scans the first row into the variables into. If there
// is no row, they remain unchanged.
func (s search) row(query string, argument any, into ...any) error {
	for row, err := range s.tx.Rows(query, argument) {
		if err != nil {
			return err
		}
		return row.Scan(into...)
	}
	return nil
}

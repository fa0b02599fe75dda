// Package recall finds the passages of documents that answer a question, at a service
// of retrieval: RAGFlow, or what speaks as it does.
package recall

import (
	"cmp"
	"context"
	"fmt"
)

// What holds of a Query that says nothing else.
const (
	DefaultTopN         = 10
	MaxTopN             = 100
	DefaultThreshold    = 0.2
	DefaultVectorWeight = 0.3
	defaultTopK         = 1024
	MaxTopK             = 100_000
)

// Bounds of what a Query may ask.
const (
	maxQuestion  = 64 << 10 // bytes
	maxDocuments = 10_000   // and datasets
)

// Query asks for passages.
type Query struct {
	Question     string
	Datasets     []string // indexes that are searched
	Documents    []string // ids of those that are searched; nil: all of the datasets
	TopN         int      // passages, at most MaxTopN; 0: DefaultTopN
	TopK         int      // passages nearest by their vectors that are looked at, at most MaxTopK; 0: defaultTopK
	Threshold    *float64 // least similarity, 0..1; nil: DefaultThreshold
	VectorWeight *float64 // of the vectors' similarity, 0..1, beside that of the words; nil: DefaultVectorWeight
	Rerank       string   // model that ranks what was found; "": none does
}

// Check says which field of the query is wrong.
func (q Query) Check() error {
	switch w, t := q.VectorWeightOrDefault(), q.MinSimilarity(); {
	case len(q.Question) > maxQuestion:
		return fmt.Errorf("recall.Query.Question: has %d bytes, more than %d", len(q.Question), maxQuestion)
	case len(q.Datasets) > maxDocuments:
		return fmt.Errorf("recall.Query.Datasets: are %d, more than %d", len(q.Datasets), maxDocuments)
	case len(q.Documents) > maxDocuments:
		return fmt.Errorf("recall.Query.Documents: are %d, more than %d", len(q.Documents), maxDocuments)
	case q.TopN < 0 || q.TopN > MaxTopN:
		return fmt.Errorf("recall.Query.TopN: %d is not in 0..%d", q.TopN, MaxTopN)
	case q.TopK < 0 || q.TopK > MaxTopK:
		return fmt.Errorf("recall.Query.TopK: %d is not in 0..%d", q.TopK, MaxTopK)
	case !(t >= 0 && t <= 1):
		return fmt.Errorf("recall.Query.Threshold: %v is not in 0..1", t)
	case !(w >= 0 && w <= 1):
		return fmt.Errorf("recall.Query.VectorWeight: %v is not in 0..1", w)
	}
	return nil
}

// Limit is how many passages are asked for.
func (q Query) Limit() int { return cmp.Or(q.TopN, DefaultTopN) }

// CandidateCount is how many passages are looked at for their vectors.
func (q Query) CandidateCount() int { return cmp.Or(q.TopK, defaultTopK) }

// MinSimilarity is the least similarity of a passage that is asked for.
func (q Query) MinSimilarity() float64 { return or(q.Threshold, DefaultThreshold) }

// VectorWeightOrDefault is that of the vectors' similarity.
func (q Query) VectorWeightOrDefault() float64 { return or(q.VectorWeight, DefaultVectorWeight) }

func or(given *float64, defaultValue float64) float64 {
	if given == nil {
		return defaultValue
	}
	return *given
}

// Chunk is a passage that was found.
type Chunk struct {
	ID               string
	Document         string // its id
	Name             string // of the document
	Content          string
	Similarity       float64 // 0..1: of Vector and Term, weighted
	VectorSimilarity float64 // where a model has ranked, what it gave
	TermSimilarity   float64
}

// DefaultDataset is the one of documents that are of none, and of a Query that names none.
const DefaultDataset = "default"

// Searcher finds the passages that answer a question, best first.
type Searcher interface {
	Search(ctx context.Context, q Query) ([]Chunk, error)
}

// DatasetSearcher is a Searcher that knows what it searches.
type DatasetSearcher interface {
	Has(dataset string) bool
	Datasets(document string) []string // that have it; nil: it is not known
}

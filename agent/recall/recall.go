// Package recall finds the passages of documents that answer a question, with a retrieval service:
// RAGFlow or a compatible one.
package recall

import (
	"cmp"
	"context"
	"fmt"
)

// Defaults and limits of a Query.
const (
	DefaultTopN         = 10
	MaxTopN             = 100
	DefaultThreshold    = 0.2
	DefaultVectorWeight = 0.3
	defaultTopK         = 1024
	MaxTopK             = 100_000
)

// Limits of a Query.
const (
	maxQuestion  = 64 << 10 // bytes
	maxDocuments = 10_000   // and datasets
)

// Query is a search for passages.
type Query struct {
	Question  string
	Datasets  []string // indexes to search
	Documents []string // ids of the documents to search; nil: all of the datasets
	TopN      int      // number of passages, at most MaxTopN; 0: DefaultTopN
	TopK      int      // number of nearest passages by vector that are candidates, at most MaxTopK; 0: defaultTopK
	Threshold *float64 // minimal similarity, 0..1; nil: DefaultThreshold
	// weight of the vector similarity against the term similarity, 0..1; nil: DefaultVectorWeight
	VectorWeight *float64
	Rerank       string // model that ranks the result; "": none
}

// Check validates the query. Errors name the field.
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

// Limit returns the number of requested passages.
func (q Query) Limit() int { return cmp.Or(q.TopN, DefaultTopN) }

// CandidateCount returns the number of candidates by vector.
func (q Query) CandidateCount() int { return cmp.Or(q.TopK, defaultTopK) }

// MinSimilarity returns the minimal similarity of a passage.
func (q Query) MinSimilarity() float64 { return or(q.Threshold, DefaultThreshold) }

// VectorWeightOrDefault returns the weight of the vector similarity.
func (q Query) VectorWeightOrDefault() float64 { return or(q.VectorWeight, DefaultVectorWeight) }

func or(given *float64, defaultValue float64) float64 {
	if given == nil {
		return defaultValue
	}
	return *given
}

// Chunk is a found passage.
type Chunk struct {
	ID               string
	Document         string // document id
	Name             string // name of the document
	Content          string
	Similarity       float64 // 0..1: weighted from VectorSimilarity and TermSimilarity
	VectorSimilarity float64 // the score of the reranking model, if there is one
	TermSimilarity   float64
}

// DefaultDataset is the dataset of documents without one, and of a Query that names none.
const DefaultDataset = "default"

// Searcher finds the passages that answer a question, best first.
type Searcher interface {
	Search(ctx context.Context, q Query) ([]Chunk, error)
}

// DatasetSearcher is a Searcher with known datasets.
type DatasetSearcher interface {
	Has(dataset string) bool
	Datasets(document string) []string // nil: unknown document
}

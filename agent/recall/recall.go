// Package recall calls a retrieval service, RAGFlow or a compatible one, to find the passages of
// documents that answer a question.
package recall

import (
	"cmp"
	"context"
	"fmt"

	"evalctl/agent/clock"
)

// Defaults and limits of the fields of a Query.
const (
	DefaultTopN         = 10 // passages to return
	MaxTopN             = 100
	DefaultThreshold    = 0.2 // lowest similarity
	DefaultVectorWeight = 0.3
	defaultTopK         = 1024
	MaxTopK             = 100_000 // limit on the candidates of the vector search
)

// Limits on the size of a Query.
const (
	maxQuestion  = 64 << 10 // bytes of the question
	maxDocuments = 10_000   // number of documents, and of datasets
)

// Query is a question together with the documents to search for passages that answer it.
type Query struct {
	Question  string   // text for which passages are searched
	Datasets  []string // names of the datasets to search; nil: the client's
	Documents []string // IDs of the documents to search; nil: all documents of the datasets
	TopN      int      // number of passages to return, at most MaxTopN; 0: DefaultTopN
	TopK      int      // number of candidate passages that the vector search returns, at most MaxTopK; 0: 1,024
	Threshold *float64 // lowest similarity of a returned passage, 0..1; nil: DefaultThreshold
	// weight of the vector similarity, 0..1; the term similarity has the remaining weight; nil:
	// DefaultVectorWeight
	VectorWeight *float64
	Reranker     string // name of the reranking model that orders the passages; "": no reranking
}

// Check validates the query. Errors name the invalid field.
func (q Query) Check() error {
	switch w, t := q.VectorWeightOrDefault(), q.ThresholdOrDefault(); {
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

// TopNOrDefault returns the number of passages to return: TopN or its default.
func (q Query) TopNOrDefault() int { return cmp.Or(q.TopN, DefaultTopN) }

// TopKOrDefault returns the number of candidates from the vector search: TopK or its default.
func (q Query) TopKOrDefault() int { return cmp.Or(q.TopK, defaultTopK) }

// ThresholdOrDefault returns the lowest similarity of a returned passage: Threshold or its default.
func (q Query) ThresholdOrDefault() float64 { return or(q.Threshold, DefaultThreshold) }

// VectorWeightOrDefault returns the weight of the vector similarity: VectorWeight or its default.
func (q Query) VectorWeightOrDefault() float64 { return or(q.VectorWeight, DefaultVectorWeight) }

func or(given *float64, defaultValue float64) float64 {
	if given == nil {
		return defaultValue
	}
	return *given
}

// Chunk is a passage that a search found.
type Chunk struct {
	ID               string
	DocumentID       string  // ID of the document that contains the passage
	DocumentName     string  // name of the document
	Content          string  // text of the passage
	Similarity       float64 // 0..1: the weighted mean of VectorSimilarity and TermSimilarity
	VectorSimilarity float64 // 0..1; with a reranking model, the score of that model
	TermSimilarity   float64 // 0..1: how well the words match
}

// DefaultDataset is the dataset of documents without a configured dataset. A client without
// configured datasets searches it.
const DefaultDataset = "default"

// Searcher finds the passages that answer a question, best first.
type Searcher interface {
	Search(ctx context.Context, q Query) ([]Chunk, error)
}

// DocumentNamer is implemented by a Searcher that has the names of its documents.
type DocumentNamer interface {
	// DocumentNames returns the names of the documents of a query, by the ID in the query. Unknown documents are absent.
	// Each request to a service holds a slot of calls.
	DocumentNames(ctx context.Context, q Query, calls *clock.Semaphore) (map[string]string, error)
}

// DatasetSearcher is implemented by a Searcher that can list its datasets.
type DatasetSearcher interface {
	HasDataset(dataset string) bool    // whether the dataset contains any documents
	Datasets(document string) []string // datasets of a document; nil: unknown document
}

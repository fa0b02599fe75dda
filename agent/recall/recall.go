// Package recall finds the passages of documents that answer a question, at a service
// of retrieval.
package recall

import "context"

// What holds of a Query that says nothing else.
const (
	DefaultTopN         = 10
	MaxTopN             = 100
	DefaultThreshold    = 0.2
	DefaultVectorWeight = 0.3
)

// Query asks for passages.
type Query struct {
	Question     string
	Datasets     []string // indexes that are searched
	Documents    []string // ids of those that are searched; nil: all of the datasets
	TopN         int      // passages, at most MaxTopN; 0: DefaultTopN
	Threshold    *float64 // least similarity, 0..1; nil: DefaultThreshold
	VectorWeight *float64 // of the vectors' similarity, 0..1, beside that of the words; nil: DefaultVectorWeight
	Rerank       string   // model that ranks what was found; "": none does
}

// Chunk is a passage that was found.
type Chunk struct {
	ID         string
	Document   string // its id
	Name       string // of the document
	Content    string
	Similarity float64 // 0..1: of Vector and Term, weighted
	Vector     float64
	Term       float64
}

// Searcher finds the passages that answer a question, best first.
type Searcher interface {
	Search(ctx context.Context, q Query) ([]Chunk, error)
}

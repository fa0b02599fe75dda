package backend

import (
	"context"
	"slices"

	"evalctl/agent/recall"
	"evalctl/mocks"
	"evalctl/mocks/wire"
)

// corpus is a Searcher as a service of retrieval has it.
type corpus struct{ recall.Searcher }

var _ mocks.Corpus = corpus{}

// Holds asks the searcher; one that does not know holds all that it is asked for.
func (c corpus) Holds(document string, datasets ...string) bool {
	owner, ok := c.Searcher.(recall.DatasetSearcher)
	switch {
	case !ok:
		return true
	case document == "":
		return slices.ContainsFunc(datasets, owner.Has)
	}
	return commonOf(owner.Datasets(document), datasets) != ""
}

// commonOf is the first of some names that is among others, "" where none is.
func commonOf(names, others []string) string {
	for _, n := range names {
		if slices.Contains(others, n) {
			return n
		}
	}
	return ""
}

// Search asks for all pages at once. What the service takes and a Query does not is
// brought within its bounds.
func (c corpus) Search(ctx context.Context, r wire.Retrieval) ([]wire.Found, error) {
	if r.Threshold > 1 {
		return nil, nil
	}
	least, weight := max(r.Threshold, 0), min(max(r.Weight, 0), 1)
	chunks, err := c.Searcher.Search(ctx, recall.Query{
		Question: r.Question, Datasets: r.Datasets, Documents: r.Documents, TopN: r.Window(), TopK: min(r.TopK, recall.MaxTopK),
		Threshold: &least, VectorWeight: &weight, Rerank: r.Rerank,
	})
	found := make([]wire.Found, len(chunks))
	for i, chunk := range chunks {
		found[i] = wire.Found{ID: chunk.ID, Content: chunk.Content, Document: chunk.Document, Name: chunk.Name, Dataset: r.Datasets[0],
			Similarity: chunk.Similarity, Vector: chunk.VectorSimilarity, Term: chunk.TermSimilarity}
		if owner, ok := c.Searcher.(recall.DatasetSearcher); ok {
			found[i].Dataset = commonOf(owner.Datasets(chunk.Document), r.Datasets)
		}
	}
	return found, err
}

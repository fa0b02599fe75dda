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
	owner, ok := c.Searcher.(recall.Owner)
	switch {
	case !ok:
		return true
	case document == "":
		return slices.ContainsFunc(datasets, owner.Has)
	}
	dataset, ok := owner.Dataset(document)
	return ok && slices.Contains(datasets, dataset)
}

// Search asks for all pages at once.
func (c corpus) Search(ctx context.Context, r wire.Retrieval) ([]wire.Found, error) {
	chunks, err := c.Searcher.Search(ctx, recall.Query{
		Question: r.Question, Datasets: r.Datasets, Documents: r.Documents, TopN: r.Window(), TopK: r.TopK,
		Threshold: &r.Threshold, VectorWeight: &r.Weight, Rerank: r.Rerank,
	})
	found := make([]wire.Found, len(chunks))
	for i, chunk := range chunks {
		found[i] = wire.Found{ID: chunk.ID, Content: chunk.Content, Document: chunk.Document, Name: chunk.Name, Dataset: r.Datasets[0],
			Similarity: chunk.Similarity, Vector: chunk.Vector, Term: chunk.Term}
		if owner, ok := c.Searcher.(recall.Owner); ok {
			found[i].Dataset, _ = owner.Dataset(chunk.Document)
		}
	}
	return found, err
}

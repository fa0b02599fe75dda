package backend

import (
	"context"
	"slices"

	"evalctl/agent/recall"
	"evalctl/mocks"
	"evalctl/mocks/wire"
)

// corpus adapts a recall.Searcher, the search in a system's documents, to mocks.Corpus.
type corpus struct{ recall.Searcher }

var _ mocks.Corpus = corpus{}

// Contains reports whether the searcher contains a document in one of the datasets; with an empty
// document, whether it contains one of the datasets. A searcher without datasets contains every
// document.
func (c corpus) Contains(document string, datasets ...string) bool {
	owner, ok := c.Searcher.(recall.DatasetSearcher)
	switch {
	case !ok:
		return true
	case document == "":
		return slices.ContainsFunc(datasets, owner.HasDataset)
	}
	return firstCommon(owner.Datasets(document), datasets) != ""
}

// firstCommon returns the first of names that is also in others; empty: none.
func firstCommon(names, others []string) string {
	for _, n := range names {
		if slices.Contains(others, n) {
			return n
		}
	}
	return ""
}

// Search returns all pages of results at once. Settings outside the range of a recall.Query are
// limited to that range.
func (c corpus) Search(ctx context.Context, r wire.RetrievalQuery) ([]wire.FoundPassage, error) {
	if r.MinSimilarity > 1 {
		return nil, nil
	}
	threshold, weight := max(r.MinSimilarity, 0), min(max(r.VectorWeight, 0), 1)
	chunks, err := c.Searcher.Search(ctx, recall.Query{
		Question:     r.Question,
		Datasets:     r.Datasets,
		Documents:    r.Documents,
		TopN:         r.MaxResults(),
		TopK:         min(r.TopK, recall.MaxTopK),
		Threshold:    &threshold,
		VectorWeight: &weight,
		Reranker:     r.Rerank,
	})
	found := make([]wire.FoundPassage, len(chunks))
	for i, chunk := range chunks {
		found[i] = wire.FoundPassage{
			ID:               chunk.ID,
			Content:          chunk.Content,
			Document:         chunk.DocumentID,
			Name:             chunk.DocumentName,
			Dataset:          r.Datasets[0],
			Similarity:       chunk.Similarity,
			VectorSimilarity: chunk.VectorSimilarity,
			TermSimilarity:   chunk.TermSimilarity,
		}
		if owner, ok := c.Searcher.(recall.DatasetSearcher); ok {
			found[i].Dataset = firstCommon(owner.Datasets(chunk.DocumentID), r.Datasets)
		}
	}
	return found, err
}

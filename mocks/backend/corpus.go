package backend

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"evalctl/agent/recall"
	"evalctl/agent/system"
	"evalctl/eval/suite"
	"evalctl/mocks"
	"evalctl/mocks/component"
	"evalctl/mocks/wire"
)

// corporaOf are what the simulated services of retrieval search in a variant, by part:
// made once, and used by all of its trials.
func (b *Backend) corporaOf(v suite.Variant) (map[string]mocks.Corpus, error) {
	all := map[string]mocks.Corpus{}
	for _, p := range b.suite.System().Parts {
		if p.Corpus == nil || !b.suite.Reaches(v, p.Name) || b.IsReal(v, p.Name) {
			continue
		}
		searched, err := p.Corpus(b.suite.Values(v))
		if err != nil {
			return nil, fmt.Errorf("variant %s: what %s searches: %w", v.Name, p.Name, err)
		}
		all[p.Name] = corpus{searched}
	}
	return all, nil
}

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

// WireCorpora are what is searched over the wire, where nobody knows who asks: the
// corpora of all systems with their usual settings, each made when it is first asked for.
func WireCorpora() map[string]mocks.Corpus {
	var all joined
	for _, of := range suite.Systems() {
		for _, p := range of.Parts {
			if p.Work == system.Recalls && p.Corpus != nil {
				all = append(all, sync.OnceValues(func() (recall.Searcher, error) { return p.Corpus(of.Resolve(nil)) }))
			}
		}
	}
	return map[string]mocks.Corpus{WireParts().Doing(component.Recall): all}
}

// joined are corpora of which the first that holds what is asked for answers.
type joined []func() (recall.Searcher, error)

var _ mocks.Corpus = joined{}

// Holds tells whether one does. One that cannot be made holds nothing.
func (j joined) Holds(document string, datasets ...string) bool {
	return slices.ContainsFunc(j, func(made func() (recall.Searcher, error)) bool {
		s, err := made()
		return err == nil && corpus{s}.Holds(document, datasets...)
	})
}

// Search asks the one that holds the first dataset.
func (j joined) Search(ctx context.Context, r wire.Retrieval) ([]wire.Found, error) {
	for _, made := range j {
		s, err := made()
		if err != nil {
			return nil, err
		}
		if c := (corpus{s}); c.Holds("", r.Datasets...) {
			return c.Search(ctx, r)
		}
	}
	return nil, nil
}

package backend

import (
	"context"
	"slices"
	"sync"

	"evalctl/agent/recall"
	"evalctl/agent/system"
	"evalctl/eval/suite"
	"evalctl/mocks"
	"evalctl/mocks/component"
	"evalctl/mocks/wire"
)

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

package backend

import (
	"cmp"
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

// ServerCorpora are what is searched over the wire, where nobody knows who asks: the
// corpora of all systems with their usual settings, each made when it is first asked for.
func ServerCorpora() map[string]mocks.Corpus {
	return map[string]mocks.Corpus{ServerComponents().ForRole(component.RoleRetrieval): joinedOf(suite.Systems())}
}

func joinedOf(systems []system.System) (all joined) {
	for _, of := range systems {
		for _, p := range of.Parts {
			if p.Role == system.RoleRetrieval && p.NewCorpus != nil {
				all = append(all, sync.OnceValues(func() (recall.Searcher, error) { return p.NewCorpus(of.WithDefaults(nil)) }))
			}
		}
	}
	return all
}

// joined are corpora that answer together. One that cannot be made holds nothing.
type joined []func() (recall.Searcher, error)

var _ mocks.Corpus = joined{}

// Holds tells whether one does.
func (j joined) Holds(document string, datasets ...string) bool {
	return len(j.holding(document, datasets...)) > 0
}

// holding are those that hold a document, or any of the datasets where none is named.
func (j joined) holding(document string, datasets ...string) (list []corpus) {
	for _, made := range j {
		if s, err := made(); err == nil && (corpus{s}).Holds(document, datasets...) {
			list = append(list, corpus{s})
		}
	}
	return list
}

// Search asks all that hold one of the datasets, and puts what they find in order. A
// dataset of which two know is refused: their documents may have the same ids.
func (j joined) Search(ctx context.Context, r wire.Retrieval) (found []wire.Found, err error) {
	for _, name := range r.Datasets {
		owners := slices.DeleteFunc(j.holding("", name), func(c corpus) bool { _, knows := c.Searcher.(recall.DatasetSearcher); return !knows })
		if len(owners) > 1 {
			return nil, fmt.Errorf("dataset %.60q: is of more than one system", name)
		}
	}
	for _, c := range j.holding("", r.Datasets...) {
		own, err := c.Search(ctx, r)
		if err != nil {
			return nil, err
		}
		found = append(found, own...)
	}
	slices.SortStableFunc(found, func(a, b wire.Found) int { return cmp.Compare(b.Similarity, a.Similarity) })
	return found[:min(len(found), r.Window())], nil
}

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

// ServerCorpora returns the corpora for a server whose callers are unknown: those of all systems
// with default settings, created on demand.
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

// joined combines several corpora. A corpus that cannot be created counts as empty.
type joined []func() (recall.Searcher, error)

var _ mocks.Corpus = joined{}

func (j joined) Holds(document string, datasets ...string) bool {
	return len(j.holding(document, datasets...)) > 0
}

// holding returns the corpora with a document, or with any of the datasets.
func (j joined) holding(document string, datasets ...string) (list []corpus) {
	for _, made := range j {
		if s, err := made(); err == nil && (corpus{s}).Holds(document, datasets...) {
			list = append(list, corpus{s})
		}
	}
	return list
}

// Search searches all corpora with one of the datasets and sorts the results. A dataset in two
// corpora is rejected, because their document ids may collide.
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

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
	return map[string]mocks.Corpus{ServerComponents().ForRole(component.RoleRetrieval): joinCorpora(suite.Systems())}
}

func joinCorpora(systems []system.System) (all joinedCorpora) {
	for _, of := range systems {
		for _, p := range of.Parts {
			if p.Role == system.RoleRetrieval && p.NewCorpus != nil {
				all = append(all, sync.OnceValues(func() (recall.Searcher,
					error) {
					return p.NewCorpus(of.WithDefaults(nil))
				}))
			}
		}
	}
	return all
}

// joinedCorpora combines several corpora. A corpus that cannot be created counts as empty.
type joinedCorpora []func() (recall.Searcher, error)

var _ mocks.Corpus = joinedCorpora{}

func (j joinedCorpora) Holds(document string, datasets ...string) bool {
	return len(j.containing(document, datasets...)) > 0
}

// containing returns the corpora with a document, or with any of the datasets.
func (j joinedCorpora) containing(document string, datasets ...string) (list []corpus) {
	for _, create := range j {
		if s, err := create(); err == nil && (corpus{s}).Holds(document, datasets...) {
			list = append(list, corpus{s})
		}
	}
	return list
}

// Search searches all corpora with one of the datasets and sorts the results. A dataset in two
// corpora is rejected, because their document ids may collide.
func (j joinedCorpora) Search(ctx context.Context, r wire.Retrieval) (found []wire.Found, err error) {
	for _, name := range r.Datasets {
		owners := slices.DeleteFunc(j.containing("", name),
			func(c corpus) bool { _, knows := c.Searcher.(recall.DatasetSearcher); return !knows })
		if len(owners) > 1 {
			return nil, fmt.Errorf("dataset %.60q: is of more than one system", name)
		}
	}
	for _, c := range j.containing("", r.Datasets...) {
		part, err := c.Search(ctx, r)
		if err != nil {
			return nil, err
		}
		found = append(found, part...)
	}
	slices.SortStableFunc(found, func(a, b wire.Found) int { return cmp.Compare(b.Similarity, a.Similarity) })
	return found[:min(len(found), r.Window())], nil
}

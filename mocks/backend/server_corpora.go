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

// AllCorpora returns the document collections for a simulation server that any agent may call:
// those of all systems with default settings. Each is created at first use.
func AllCorpora() map[string]mocks.Corpus {
	return map[string]mocks.Corpus{AllComponents().NameForRole(component.RoleRetrieval): joinCorpora(suite.Systems())}
}

func joinCorpora(systems []system.System) (all joinedCorpora) {
	for _, of := range systems {
		for _, p := range of.Components {
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

// joinedCorpora combines the document collections of several systems. A collection that cannot be
// created counts as empty.
type joinedCorpora []func() (recall.Searcher, error)

var _ mocks.Corpus = joinedCorpora{}

func (j joinedCorpora) Contains(document string, datasets ...string) bool {
	return len(j.containing(document, datasets...)) > 0
}

// containing returns the collections that contain the document, or, if document is empty, any of
// the datasets.
func (j joinedCorpora) containing(document string, datasets ...string) (list []corpus) {
	for _, create := range j {
		if s, err := create(); err == nil && (corpus{s}).Contains(document, datasets...) {
			list = append(list, corpus{s})
		}
	}
	return list
}

// Search searches every collection that contains a dataset of the request, and returns the best
// results overall. Two collections with the same dataset are an error, because ids may collide.
func (j joinedCorpora) Search(ctx context.Context, r wire.RetrievalQuery) (found []wire.FoundPassage, err error) {
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
	slices.SortStableFunc(found, func(a, b wire.FoundPassage) int { return cmp.Compare(b.Similarity, a.Similarity) })
	return found[:min(len(found), r.MaxResults())], nil
}

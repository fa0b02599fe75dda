package scholar

import (
	"context"
	"sync"

	"evalctl/agent/recall"
	"evalctl/agent/recall/index"
	"evalctl/agent/system"
	"evalctl/agent/tokens"
)

// corpus returns the Searcher of the simulated retrieval service. It searches the passages of the
// configured papers.
func corpus(v system.SettingValues) (recall.Searcher, error) {
	if v["papers"] == "" && v["retrieval-datasets"] == papersDataset {
		return shippedCorpus()
	}
	return indexed(v)
}

// shippedCorpus indexes the built-in papers once for all variants.
var shippedCorpus = sync.OnceValues(func() (recall.Searcher,
	error) {
	return indexed(system.SettingValues{"retrieval-datasets": papersDataset})
})

func indexed(v system.SettingValues) (recall.Searcher, error) {
	l, err := openLibrary(v["papers"])
	if err != nil {
		return nil, err
	}
	datasets, err := readNames(v["retrieval-datasets"])
	if err != nil {
		return nil, err
	}
	var docs []index.Document
	for _, id := range l.ids {
		docs = append(docs, index.Document{
			ID:       id,
			Name:     l.papers[id].Title,
			Datasets: datasets,
			Text:     l.papers[id].Text,
		})
	}
	return index.New(context.Background(), docs, index.Config{CountTokens: tokens.Count})
}

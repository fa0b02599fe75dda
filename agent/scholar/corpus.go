package scholar

import (
	"context"
	"sync"

	"evalctl/agent/recall"
	"evalctl/agent/recall/index"
	"evalctl/agent/system"
	"evalctl/agent/tokens"
)

// corpus is what a simulated service of retrieval searches: the papers. What was
// shipped is indexed once.
func corpus(v system.Values) (recall.Searcher, error) {
	if v["papers"] == "" && v["datasets"] == papersDataset {
		return shippedCorpus()
	}
	l, err := openLibrary(v["papers"])
	if err != nil {
		return nil, err
	}
	datasets, err := readNames(v["datasets"])
	if err != nil {
		return nil, err
	}
	return l.index(datasets[0])
}

var shippedCorpus = sync.OnceValues(func() (recall.Searcher, error) {
	l, err := shippedLibrary()
	if err != nil {
		return nil, err
	}
	return l.index(papersDataset)
})

func (l *library) index(dataset string) (recall.Searcher, error) {
	var docs []index.Document
	for _, id := range l.ids {
		docs = append(docs, index.Document{ID: id, Name: l.papers[id].Title, Dataset: dataset, Text: l.papers[id].Text})
	}
	return index.New(context.Background(), docs, index.Config{Count: tokens.Count})
}

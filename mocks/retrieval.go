package mocks

import (
	"context"
	"net/http"

	"evalctl/mocks/fault"
	"evalctl/mocks/wire"
)

// Corpus is the document collection that a simulated retrieval component searches. It must be safe
// for concurrent use by several servers.
type Corpus interface {
	wire.DatasetCatalog
	// Search returns the passages with a similarity of at least r.Threshold, best first, and at
	// most r.Window() of them.
	Search(ctx context.Context, r wire.RetrievalQuery) ([]wire.FoundPassage, error)
}

// emptyCorpus is the Corpus of a retrieval component without configured documents. Every search in
// it finds nothing.
type emptyCorpus struct{}

func (emptyCorpus) Contains(string, ...string) bool { return false }

func (emptyCorpus) Search(context.Context, wire.RetrievalQuery) ([]wire.FoundPassage, error) {
	return nil, nil
}

func (c *call) retrieval() {
	var b wire.RetrievalBody
	if p := c.Decode(&b); p != nil {
		c.sendRefusal(*p)
		return
	}
	corpus := c.state.corpora[c.component.name]
	if corpus == nil {
		corpus = emptyCorpus{}
	}
	r, p := b.Check(corpus)
	if p != nil {
		c.sendRefusal(*p)
		return
	}
	c.countAndSelectFaults()
	if c.applyFault() {
		return
	}
	if first, chunkDelay := c.sampleLatency(); !c.sleep(first + chunkDelay) {
		return
	}
	var found []wire.FoundPassage
	if r.Question != "" && c.fault.Kind != fault.EmptyContent {
		var err error
		if found, err = corpus.Search(c.ctx, r); err != nil {
			c.refuse(wire.ServerError, err.Error())
			return
		}
	}
	c.sendJSON(http.StatusOK, c.AppendRetrieval(nil, r, found))
}

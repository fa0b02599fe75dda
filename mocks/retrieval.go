package mocks

import (
	"context"
	"net/http"

	"evalctl/mocks/fault"
	"evalctl/mocks/wire"
)

// Corpus is the data that a part with the retrieval role searches. It must be safe for concurrent
// use by several servers.
type Corpus interface {
	wire.Owner
	// Search returns passages with a similarity of at least r.Threshold, best first, at most
	// r.Window().
	Search(ctx context.Context, r wire.Retrieval) ([]wire.Found, error)
}

// nothing is an empty Corpus.
type nothing struct{}

func (nothing) Holds(string, ...string) bool { return false }

func (nothing) Search(context.Context, wire.Retrieval) ([]wire.Found, error) { return nil, nil }

func (c *call) retrieval() {
	var b wire.RetrievalBody
	if p := c.Decode(&b); p != nil {
		c.send(*p)
		return
	}
	corpus := c.s.corpora[c.part.name]
	if corpus == nil {
		corpus = nothing{}
	}
	r, p := b.Check(corpus)
	if p != nil {
		c.send(*p)
		return
	}
	c.count()
	if c.failed() {
		return
	}
	if first, each := c.wait(); !c.sleep(first + each) {
		return
	}
	var found []wire.Found
	if r.Question != "" && c.fault.Kind != fault.EmptyContent {
		var err error
		if found, err = corpus.Search(c.ctx, r); err != nil {
			c.refuse(wire.Broken, err.Error())
			return
		}
	}
	c.answer(http.StatusOK, c.AppendRetrieval(nil, r, found))
}

package mocks

import (
	"context"
	"net/http"

	"evalctl/mocks/fault"
	"evalctl/mocks/wire"
)

// Corpus is what a part that does the work of Recall searches. It is used by many
// servers at once.
type Corpus interface {
	wire.Owner
	// Search finds passages, best first: at most the request's Window, all of at least
	// its Threshold.
	Search(ctx context.Context, r wire.Retrieval) ([]wire.Found, error)
}

// nothing is the corpus of a part that has none.
type nothing struct{}

func (nothing) Holds(string, ...string) bool { return false }

func (nothing) Search(context.Context, wire.Retrieval) ([]wire.Found, error) { return nil, nil }

// retrieval answers with passages.
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
	r, p := c.CheckRetrieval(&b, corpus)
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

package mocks

import (
	"net/http"

	"evalctl/mocks/wire"
)

// embeddings answers with a vector for each input.
func (c *call) embeddings() {
	var b wire.EmbeddingBody
	if p := c.Decode(&b); p != nil {
		c.send(*p)
		return
	}
	if p := c.Name(b.Model); p != nil {
		c.send(*p)
		return
	}
	in, dims, p := c.CheckEmbedding(&b)
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
	if !c.Reserve(in.Size(dims)) {
		c.refuse(wire.Overloaded, "")
		return
	}
	c.answer(http.StatusOK, c.AppendEmbeddings(nil, &b, in, dims))
}

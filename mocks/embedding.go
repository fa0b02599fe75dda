package mocks

import (
	"net/http"

	"evalctl/mocks/wire"
)

func (c *call) embeddings() {
	var b wire.EmbeddingBody
	if p := c.Decode(&b); p != nil {
		c.sendRefusal(*p)
		return
	}
	if p := c.SetModel(b.Model); p != nil {
		c.sendRefusal(*p)
		return
	}
	in, dims, p := c.CheckEmbedding(&b)
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
	if !c.ReserveMemory(in.AnswerSize(dims)) {
		c.refuse(wire.Overloaded, "")
		return
	}
	c.sendJSON(http.StatusOK, c.AppendEmbeddings(nil, &b, in, dims))
}

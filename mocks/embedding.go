package mocks

import "net/http"

// embeddings answers with a vector for each input.
func (c *call) embeddings() {
	var b embeddingBody
	if p := c.decode(&b); p != nil {
		c.send(*p)
		return
	}
	c.Model = b.Model
	in, dims, p := c.checkEmbedding(&b)
	if p != nil {
		c.send(*p)
		return
	}
	c.count(Embedding)
	if c.failed() {
		return
	}
	if first, each := c.wait(); !c.sleep(first + each) {
		return
	}
	c.answer(http.StatusOK, c.appendEmbeddings(nil, &b, in, dims))
}

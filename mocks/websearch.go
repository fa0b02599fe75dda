package mocks

import (
	"net/http"

	"evalctl/agent/clock"
	"evalctl/mocks/fault"
	"evalctl/mocks/model"
	"evalctl/mocks/random"
	"evalctl/mocks/wire"
)

// bytesPerPage is about what a page takes in an answer.
const bytesPerPage = 2 << 10

// webSearch answers with pages of the web.
func (c *call) webSearch() {
	var b wire.WebSearchBody
	if p := c.Decode(&b); p != nil {
		c.send(*p)
		return
	}
	q, p := c.CheckWebSearch(b)
	if p != nil {
		c.send(*p)
		return
	}
	c.count()
	if c.failed() {
		return
	}
	duration, _ := c.wait()
	if !c.sleep(duration) {
		return
	}
	if c.fault.Kind == fault.EmptyContent {
		q.Count = 0
	}
	if !c.Reserve(int64(q.Count) * bytesPerPage) {
		c.refuse(wire.Overloaded, "")
		return
	}
	seed := c.seed
	if c.place == (model.Place{}) {
		seed = random.Hash(c.s.seed, q.Text)
	}
	pages := model.SamplePages(q.Text, q.Count, q.Since, seed, clock.Now(c.ctx))
	c.answer(http.StatusOK, c.AppendWebSearch(nil, q, pages, duration))
}

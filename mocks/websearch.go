package mocks

import (
	"net/http"

	"evalctl/agent/clock"
	"evalctl/mocks/fault"
	"evalctl/mocks/model"
	"evalctl/mocks/random"
	"evalctl/mocks/wire"
)

// bytesPerPage is the approximate size, in bytes, of one search result in an answer. It is used for
// the memory limit.
const bytesPerPage = 2 << 10

// webSearch answers a request to a web search engine (Tavily, Bocha) with simulated pages.
func (c *call) webSearch() {
	var b wire.WebSearchBody
	if p := c.Decode(&b); p != nil {
		c.sendRefusal(*p)
		return
	}
	q, p := c.CheckWebSearch(b)
	if p != nil {
		c.sendRefusal(*p)
		return
	}
	c.countAndSelectFaults()
	if c.applyFault() {
		return
	}
	duration, _ := c.sampleLatency()
	if !c.sleep(duration) {
		return
	}
	if c.fault.Kind == fault.EmptyContent {
		q.Count = 0
	}
	if !c.ReserveMemory(int64(q.Count) * bytesPerPage) {
		c.refuse(wire.Overloaded, "")
		return
	}
	seed := c.seed
	if c.position == (model.CallPosition{}) {
		seed = random.Hash(c.state.seed, q.Text)
	}
	pages := model.SamplePages(q.Text, q.Count, q.MaxAge, seed, clock.Now(c.ctx))
	c.sendJSON(http.StatusOK, c.AppendWebSearch(nil, q, pages, duration))
}

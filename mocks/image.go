package mocks

import (
	"net/http"
	"time"

	"evalctl/mocks/fault"
	"evalctl/mocks/random"
	"evalctl/mocks/wire"
)

// SyncTimeout is when DashScope gives a synchronous call up.
const SyncTimeout = 300 * time.Second

// imageSync answers multimodal-generation: a picture made, or edited, while
// the client waits.
func (c *call) imageSync() {
	b, ok := c.imageBody()
	if !ok {
		return
	}
	if b.SuperfluousType() {
		c.ex.Notes = append(c.ex.Notes, "superfluous key type in a content item")
	}
	w, h, p := c.CheckSync(b)
	if p != nil {
		c.send(*p)
		return
	}
	c.count()
	if c.failed() || c.syncFailed() {
		return
	}
	first, each := c.wait()
	if !c.sleep(first + each) {
		return
	}
	c.answer(http.StatusOK, c.AppendImages(nil, b, w, h))
}

// imageBody reads a request for pictures; where it cannot, it has refused it.
func (c *call) imageBody() (b *wire.ImageBody, ok bool) {
	b = &wire.ImageBody{}
	p := c.Decode(b)
	if p == nil {
		p = c.Name(b.Model)
	}
	if p != nil {
		c.send(*p)
	}
	return b, p == nil
}

// syncFailed is what failed and endless tasks are where there are no tasks.
func (c *call) syncFailed() bool {
	switch c.fault.Kind {
	case fault.TaskFailed:
		if first, _ := c.wait(); c.sleep(first) {
			c.refuse(wire.Broken, "")
		}
	case fault.TaskEndless:
		if c.sleep(SyncTimeout) {
			c.refuse(wire.TimedOut, "")
		}
	default:
		return false
	}
	return true
}

// image sends the picture that its address names.
func (c *call) image() {
	b, err := wire.PlaceholderPNG(random.Hash(c.s.seed, c.Place.ID))
	if err != nil {
		c.refuse(wire.Broken, err.Error())
		return
	}
	c.record(http.StatusOK)
	c.begin(http.StatusOK, "image/png")
	c.write(b)
}

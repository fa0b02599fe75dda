package mocks

import (
	"net/http"
	"time"
)

// SyncPatience is when DashScope gives a synchronous call up.
const SyncPatience = 300 * time.Second

// imageSync answers multimodal-generation: a picture made, or edited, while
// the client waits.
func (c *call) imageSync() {
	var b imageBody
	if p := c.decode(&b); p != nil {
		c.send(*p)
		return
	}
	c.Model = b.Model
	if b.superfluousType() {
		c.ex.Notes = append(c.ex.Notes, "superfluous key type in a content item")
	}
	w, h, p := c.checkSync(&b)
	if p != nil {
		c.send(*p)
		return
	}
	c.count(Image)
	if c.failed() || c.syncFailed() {
		return
	}
	first, each := c.wait()
	if !c.sleep(first + each) {
		return
	}
	c.answer(http.StatusOK, c.appendPictures(nil, &b, w, h))
}

// syncFailed is what failed and endless tasks are where there are no tasks.
func (c *call) syncFailed() bool {
	switch c.fault.Kind {
	case TaskFailed:
		if first, _ := c.wait(); c.sleep(first) {
			c.refuse(broken, "")
		}
	case TaskEndless:
		if c.sleep(SyncPatience) {
			c.refuse(timedOut, "")
		}
	default:
		return false
	}
	return true
}

// picture sends the picture that its address names.
func (c *call) picture() {
	b, err := picture(hashText(c.s.seed, c.Place.id))
	if err != nil {
		c.refuse(broken, err.Error())
		return
	}
	c.record(http.StatusOK)
	c.begin(http.StatusOK, "image/png")
	c.write(b)
}

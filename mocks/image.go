package mocks

import (
	"net/http"
	"time"

	"evalctl/mocks/fault"
	"evalctl/mocks/random"
	"evalctl/mocks/wire"
)

// SyncImageTimeout is DashScope's time limit for a synchronous image request.
const SyncImageTimeout = 300 * time.Second

// imageSync answers DashScope's multimodal-generation API, which generates or edits an image while
// the client waits.
func (c *call) imageSync() {
	b, ok := c.imageBody()
	if !ok {
		return
	}
	if b.HasUndocumentedType() {
		c.entry.Notes = append(c.entry.Notes, "superfluous key type in a content item")
	}
	w, h, p := c.CheckSyncImage(b)
	if p != nil {
		c.sendRefusal(*p)
		return
	}
	c.countAndSelectFaults()
	if c.applyFault() || c.applyTaskFault() {
		return
	}
	first, chunkDelay := c.sampleLatency()
	if !c.sleep(first + chunkDelay) {
		return
	}
	c.sendJSON(http.StatusOK, c.AppendImages(nil, b, w, h))
}

// imageBody decodes an image request. If ok is false, the error response has already been sent.
func (c *call) imageBody() (b *wire.ImageBody, ok bool) {
	b = &wire.ImageBody{}
	p := c.Decode(b)
	if p == nil {
		p = c.SetModel(b.Model)
	}
	if p != nil {
		c.sendRefusal(*p)
	}
	return b, p == nil
}

// applyTaskFault applies the faults task_failed and task_endless to a synchronous request, which
// has no task to poll. It reports whether the call is finished.
func (c *call) applyTaskFault() bool {
	switch c.fault.Kind {
	case fault.TaskFailed:
		if first, _ := c.sampleLatency(); c.sleep(first) {
			c.refuse(wire.ServerError, "")
		}
	case fault.TaskNeverEnds:
		if c.sleep(SyncImageTimeout) {
			c.refuse(wire.TimedOut, "")
		}
	default:
		return false
	}
	return true
}

// image sends the placeholder PNG for the image id in the path.
func (c *call) image() {
	b, err := wire.PlaceholderPNG(random.Hash(c.state.seed, c.Route.ID))
	if err != nil {
		c.refuse(wire.ServerError, err.Error())
		return
	}
	c.record(http.StatusOK)
	c.writeHeader(http.StatusOK, "image/png")
	c.write(b)
}

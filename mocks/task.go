package mocks

import (
	"net/http"

	"evalctl/agent/clock"
	"evalctl/mocks/fault"
	"evalctl/mocks/wire"
)

// imageTask answers DashScope's text2image API: it creates an asynchronous task from a prompt.
func (c *call) imageTask() {
	b, ok := c.imageBody()
	if !ok {
		return
	}
	if p := c.CheckImageTask(b); p != nil {
		c.sendRefusal(*p)
		return
	}
	c.createTask(b, b.Input.Prompt, nil)
}

// imageMessages answers DashScope's image-generation API: it creates an asynchronous task from
// messages.
func (c *call) imageMessages() {
	b, ok := c.imageBody()
	if !ok {
		return
	}
	w, h, p := c.CheckImageMessages(b)
	if p != nil {
		c.sendRefusal(*p)
		return
	}
	c.createTask(b, "", func(k *wire.Task) { k.SetMessageFormat(b, w, h) })
}

// imageEdit answers DashScope's image2image API: it creates an asynchronous task. The API has no
// synchronous variant.
func (c *call) imageEdit() {
	b, ok := c.imageBody()
	if !ok {
		return
	}
	if p := c.CheckImageEdit(b); p != nil {
		c.sendRefusal(*p)
		return
	}
	c.createTask(b, "", nil)
}

// createTask creates an asynchronous image task and answers with its id. If prepare is not nil, it
// may change the task before the task is stored.
func (c *call) createTask(b *wire.ImageBody, prompt string, prepare func(*wire.Task)) {
	c.countAndSelectFaults()
	if c.applyFault() {
		return
	}
	first, chunkDelay := c.sampleLatency()
	now := clock.Now(c.ctx)
	k := c.NewTask(b, prompt, now)
	if prepare != nil {
		prepare(k)
	}
	k.StartTime = now.Add(c.state.images.Pending)
	k.EndTime = k.StartTime.Add(c.state.images.Running + first + chunkDelay)
	k.Failed, k.NeverEnds = c.fault.Kind == fault.TaskFailed, c.fault.Kind == fault.TaskNeverEnds
	c.state.tasks.Add(k)
	c.sendJSON(http.StatusOK, c.AppendTaskCreated(nil, k.ID))
}

// poll answers with the state of an image task. As with DashScope, an unknown task is not an error:
// it has the status UNKNOWN.
func (c *call) poll() {
	c.countAndSelectFaults()
	if c.applyFault() {
		return
	}
	if first, _ := c.sampleLatency(); !c.sleep(first) {
		return
	}
	now := clock.Now(c.ctx)
	c.sendJSON(http.StatusOK, c.AppendTask(nil, c.state.tasks.Find(c.Route.ID, now), now))
}

// cancel cancels an image task that is still pending. A task in another state gives an error
// response.
func (c *call) cancel() {
	c.countAndSelectFaults()
	if c.applyFault() {
		return
	}
	if !c.state.tasks.Cancel(c.Route.ID, clock.Now(c.ctx)) {
		c.sendRefusal(*wire.NotCancelable())
		return
	}
	c.sendJSON(http.StatusOK, c.AppendTaskCanceled(nil))
}

func (c *call) tasks() {
	c.countAndSelectFaults()
	if c.applyFault() {
		return
	}
	out, p := c.AppendTasks(nil, &c.state.tasks, clock.Now(c.ctx))
	if p != nil {
		c.sendRefusal(*p)
		return
	}
	c.sendJSON(http.StatusOK, out)
}

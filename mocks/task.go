package mocks

import (
	"net/http"

	"evalctl/agent/clock"
	"evalctl/mocks/fault"
	"evalctl/mocks/wire"
)

// imageTask answers text2image by creating a task from a prompt.
func (c *call) imageTask() {
	b, ok := c.imageBody()
	if !ok {
		return
	}
	if p := c.CheckTask(b); p != nil {
		c.send(*p)
		return
	}
	c.create(b, b.Input.Prompt, nil)
}

// imageMessages answers image-generation by creating a task from messages.
func (c *call) imageMessages() {
	b, ok := c.imageBody()
	if !ok {
		return
	}
	w, h, p := c.CheckMessages(b)
	if p != nil {
		c.send(*p)
		return
	}
	c.create(b, "", func(k *wire.Task) { k.Answers(b, w, h) })
}

// imageEdit answers image2image, which supports tasks only.
func (c *call) imageEdit() {
	b, ok := c.imageBody()
	if !ok {
		return
	}
	if p := c.CheckImageEdit(b); p != nil {
		c.send(*p)
		return
	}
	c.create(b, "", nil)
}

// create adds a task; prepare may change it first.
func (c *call) create(b *wire.ImageBody, prompt string, prepare func(*wire.Task)) {
	c.count()
	if c.failed() {
		return
	}
	first, each := c.wait()
	now := clock.Now(c.ctx)
	k := c.NewTask(b, prompt, now)
	if prepare != nil {
		prepare(k)
	}
	k.Scheduled = now.Add(c.s.images.Pending)
	k.End = k.Scheduled.Add(c.s.images.Running + first + each)
	k.Failed, k.Endless = c.fault.Kind == fault.TaskFailed, c.fault.Kind == fault.TaskEndless
	c.s.tasks.Add(k)
	c.answer(http.StatusOK, c.AppendCreated(nil, k.ID))
}

// poll returns the state of a task. An unknown task has the status UNKNOWN and is no error.
func (c *call) poll() {
	c.count()
	if c.failed() {
		return
	}
	if first, _ := c.wait(); !c.sleep(first) {
		return
	}
	now := clock.Now(c.ctx)
	c.answer(http.StatusOK, c.AppendTask(nil, c.s.tasks.Find(c.Place.ID, now), now))
}

// cancel cancels a pending task.
func (c *call) cancel() {
	c.count()
	if c.failed() {
		return
	}
	if !c.s.tasks.Cancel(c.Place.ID, clock.Now(c.ctx)) {
		c.send(*wire.NotCanceled())
		return
	}
	c.answer(http.StatusOK, c.AppendCanceled(nil))
}

func (c *call) tasks() {
	c.count()
	if c.failed() {
		return
	}
	out, p := c.AppendTasks(nil, &c.s.tasks, clock.Now(c.ctx))
	if p != nil {
		c.send(*p)
		return
	}
	c.answer(http.StatusOK, out)
}

package mocks

import (
	"net/http"

	"evalctl/agent/clock"
)

// imageTask answers text2image: it creates a task.
func (c *call) imageTask() {
	var b imageBody
	if p := c.decode(&b); p != nil {
		c.send(*p)
		return
	}
	c.Model = b.Model
	if p := c.checkTask(&b); p != nil {
		c.send(*p)
		return
	}
	c.create(&b, b.Input.Prompt)
}

// imageEdit answers image2image, which has tasks only.
func (c *call) imageEdit() {
	var b imageBody
	if p := c.decode(&b); p != nil {
		c.send(*p)
		return
	}
	c.Model = b.Model
	if p := c.checkImageEdit(&b); p != nil {
		c.send(*p)
		return
	}
	c.create(&b, "")
}

func (c *call) create(b *imageBody, prompt string) {
	c.count(Image)
	if c.failed() {
		return
	}
	first, each := c.wait()
	now := clock.Now(c.ctx)
	k := newTask(c.ID, b, prompt, now)
	k.scheduled = now.Add(c.s.images.Pending)
	k.end = k.scheduled.Add(c.s.images.Running + first + each)
	k.failed, k.endless = c.fault.Kind == TaskFailed, c.fault.Kind == TaskEndless
	c.s.tasks.add(k)
	c.answer(http.StatusOK, c.appendCreated(nil, k.id))
}

// poll tells how a task is; an unknown one is no error but UNKNOWN.
func (c *call) poll() {
	c.count(Poll)
	if c.failed() {
		return
	}
	if first, _ := c.wait(); !c.sleep(first) {
		return
	}
	now := clock.Now(c.ctx)
	c.answer(http.StatusOK, c.appendTask(nil, c.s.tasks.find(c.Place.id, now), now))
}

// cancel cancels a task that still waits.
func (c *call) cancel() {
	c.count(Poll)
	if c.failed() {
		return
	}
	if !c.s.tasks.cancel(c.Place.id, clock.Now(c.ctx)) {
		c.send(*notCanceled())
		return
	}
	c.answer(http.StatusOK, c.appendCanceled(nil))
}

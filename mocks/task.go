package mocks

import (
	"net/http"
	"slices"
	"sync"
	"time"

	"evalctl/agent/clock"
)

// MaxTasks is how many tasks a Server remembers; older ones are UNKNOWN.
const MaxTasks = 4096

// taskLife is how long DashScope remembers one.
const taskLife = 24 * time.Hour

// task is a picture in the making. Its state follows from the time.
type task struct {
	id, prompt string // an edit's answer does not repeat its prompt: it is empty
	extend     bool
	n          int
	seed       uint64 // of the pictures' addresses
	created    time.Time
	scheduled  time.Time
	end        time.Time
	fault      Kind
	canceled   bool
}

type tasks struct {
	mu   sync.Mutex
	byID map[string]*task
	ids  []string // oldest first
}

func (t *tasks) add(k *task) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.byID == nil {
		t.byID = map[string]*task{}
	}
	if len(t.ids) == MaxTasks {
		delete(t.byID, t.ids[0])
		t.ids = slices.Delete(t.ids, 0, 1)
	}
	t.byID[k.id] = k
	t.ids = append(t.ids, k.id)
}

// find returns a copy of a task that is alive at now.
func (t *tasks) find(id string, now time.Time) (task, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	k := t.byID[id]
	if k == nil || now.Sub(k.created) > taskLife {
		return task{}, false
	}
	return *k, true
}

// cancel cancels a task that is PENDING.
func (t *tasks) cancel(id string, now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	k := t.byID[id]
	if k == nil || k.status(now) != "PENDING" {
		return false
	}
	k.canceled = true
	return true
}

func (k *task) status(now time.Time) string {
	switch {
	case k.canceled:
		return "CANCELED"
	case now.Before(k.scheduled):
		return "PENDING"
	case k.fault == TaskEndless || now.Before(k.end):
		return "RUNNING"
	case k.fault == TaskFailed:
		return "FAILED"
	}
	return "SUCCEEDED"
}

// imageTask answers text2image: it creates a task.
func (c *call) imageTask() {
	var b imageBody
	if !c.decode(&b) {
		return
	}
	c.ex.Model = b.Model
	if p := c.checkTask(&b); p != nil {
		c.send(*p)
		return
	}
	c.create(&b, b.Input.Prompt)
}

// imageEdit answers image2image, which has tasks only.
func (c *call) imageEdit() {
	var b imageBody
	if !c.decode(&b) {
		return
	}
	c.ex.Model = b.Model
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
	k := &task{
		id: string(appendUUID(nil, mix(c.id, 40))), prompt: prompt, n: b.count(), seed: c.id,
		extend:  b.Parameters.PromptExtend == nil || *b.Parameters.PromptExtend,
		created: now, scheduled: now.Add(c.s.cfg.Images.Pending), fault: c.fault.Kind,
	}
	k.end = k.scheduled.Add(c.s.cfg.Images.Running + first + each)
	c.s.tasks.add(k)
	o := appendField([]byte(`{"output":{`), "task_id", k.id)
	o = append(o, `,"task_status":"PENDING"},`...)
	c.answer(http.StatusOK, append(appendField(o, "request_id", c.requestID()), '}'))
}

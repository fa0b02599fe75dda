package mocks

import (
	"net/http"
	"slices"
	"strings"
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
	id, prompt string
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
	c.create(&b)
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
	c.create(&b)
}

func (c *call) create(b *imageBody) {
	c.count(Image)
	if c.failed() {
		return
	}
	first, each := c.wait()
	now := clock.Now(c.ctx)
	k := &task{
		id: string(appendUUID(nil, mix(c.id, 40))), prompt: b.Input.Prompt, n: b.count(), seed: c.id,
		extend:  b.Parameters.PromptExtend == nil || *b.Parameters.PromptExtend,
		created: now, scheduled: now.Add(c.s.cfg.Images.Pending), fault: c.fault.Kind,
	}
	k.end = k.scheduled.Add(c.s.cfg.Images.Running + first + each)
	c.s.tasks.add(k)
	o := appendField([]byte(`{"output":{`), "task_id", k.id)
	o = append(o, `,"task_status":"PENDING"},`...)
	c.answer(http.StatusOK, append(appendField(o, "request_id", c.requestID()), '}'))
}

func (c *call) checkTask(b *imageBody) *Refusal {
	if !c.isAsync() {
		return native(403, "AccessDenied", noSync)
	}
	if p := c.checkImage(b); p != nil {
		return p
	}
	noTask := isEdit(b.Model) || isLargeImage(b.Model) || strings.HasPrefix(b.Model, "qwen-image-max")
	switch {
	case noTask || c.s.cfg.Images.Flow == SyncFlow:
		return native(403, "AccessDenied", noAsync)
	case strings.TrimSpace(b.Input.Prompt) == "":
		return badParameter("input.prompt is required")
	}
	if p := checkCount(b); p != nil {
		return p
	}
	_, _, p := c.size(b)
	return p
}

var editFunctions = []string{
	"stylization_all", "stylization_local", "description_edit", "description_edit_with_mask", "remove_watermark",
	"expand", "super_resolution", "colorization", "doodle", "control_cartoon_feature",
}

func (c *call) checkImageEdit(b *imageBody) *Refusal {
	if !c.isAsync() {
		return native(403, "AccessDenied", noSync)
	}
	if p := c.checkImage(b); p != nil {
		return p
	}
	strength := b.Parameters.Strength
	switch {
	case c.s.cfg.Images.Flow == SyncFlow:
		return native(403, "AccessDenied", noAsync)
	case !slices.Contains(editFunctions, b.Input.Function):
		return badParameter("function must be one of " + strings.Join(editFunctions, ", "))
	case strings.TrimSpace(b.Input.Prompt) == "":
		return badParameter("input.prompt is required")
	case b.Input.BaseImageURL == "":
		return badParameter("input.base_image_url is required")
	case b.Input.Function == "description_edit_with_mask" && b.Input.MaskImageURL == "":
		return badParameter("input.mask_image_url is required by description_edit_with_mask")
	case strength != nil && !(*strength >= 0 && *strength <= 1):
		return badParameter("strength must be in [0, 1]")
	}
	for _, u := range []string{b.Input.BaseImageURL, b.Input.MaskImageURL} {
		if u == "" {
			continue
		}
		if p := checkURL(u); p != nil {
			return p
		}
	}
	return checkCount(b)
}

package wire

import (
	"slices"
	"sync"
	"time"
)

// maxTasks is the maximum number of stored tasks. When it is exceeded, the oldest task is dropped.
const maxTasks = 4096

// taskLifetime is how long DashScope stores a task.
const taskLifetime = 24 * time.Hour

// Tasks stores the image tasks of a server by id. The zero value is empty and ready for use.
type Tasks struct {
	mu   sync.Mutex
	byID map[string]*Task
	ids  []string // ids of the stored tasks, oldest first
}

// Add stores a new task, so that later requests can poll it. If maxTasks are stored, the oldest one
// is dropped.
func (t *Tasks) Add(k *Task) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.byID == nil {
		t.byID = map[string]*Task{}
	}
	if len(t.ids) == maxTasks {
		delete(t.byID, t.ids[0])
		t.ids = slices.Delete(t.ids, 0, 1)
	}
	t.byID[k.ID] = k
	t.ids = append(t.ids, k.ID)
}

// Find returns a copy of a task. It returns nil if the task is unknown or has expired at the time
// now.
func (t *Tasks) Find(id string, now time.Time) *Task {
	t.mu.Lock()
	defer t.mu.Unlock()
	k := t.byID[id]
	if k == nil || now.Sub(k.created) > taskLifetime {
		return nil
	}
	found := *k
	return &found
}

// Cancel cancels a task if it is still PENDING, and reports whether it was.
func (t *Tasks) Cancel(id string, now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	k := t.byID[id]
	if k == nil || k.status(now) != "PENDING" {
		return false
	}
	k.canceled = true
	return true
}

// List returns copies of all tasks that have not expired at the time now, newest first.
func (t *Tasks) List(now time.Time) (list []Task) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, id := range slices.Backward(t.ids) {
		if k := t.byID[id]; now.Sub(k.created) <= taskLifetime {
			list = append(list, *k)
		}
	}
	return list
}

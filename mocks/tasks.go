package mocks

import (
	"slices"
	"sync"
	"time"
)

// MaxTasks is how many tasks are remembered; older ones are UNKNOWN.
const MaxTasks = 4096

// taskLife is how long DashScope remembers one.
const taskLife = 24 * time.Hour

// tasks remembers tasks by their ids; the zero one is empty.
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

// find returns a copy of a task that is alive at now, nil where there is none.
func (t *tasks) find(id string, now time.Time) *task {
	t.mu.Lock()
	defer t.mu.Unlock()
	k := t.byID[id]
	if k == nil || now.Sub(k.created) > taskLife {
		return nil
	}
	found := *k
	return &found
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

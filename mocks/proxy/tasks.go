package proxy

import (
	"errors"
	"sync"

	"evalctl/mocks/fault"
	"evalctl/mocks/jsontext"
	"evalctl/mocks/wire"
)

// maxTasks bounds the tasks that are remembered; the oldest is forgotten.
const maxTasks = 10_000

// tasks are those that were struck when they were made.
type tasks struct {
	mu    sync.Mutex
	kinds map[string]fault.Kind
	order []string
}

func (t *tasks) add(id string, kind fault.Kind) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.kinds == nil {
		t.kinds = map[string]fault.Kind{}
	}
	if len(t.order) == maxTasks {
		delete(t.kinds, t.order[0])
		t.order = t.order[1:]
	}
	t.kinds[id], t.order = kind, append(t.order, id)
}

// find tells whether a place is a struck task's.
func (t *tasks) find(at wire.Route) (fault.Kind, bool) {
	if at.Endpoint != wire.TaskPoll {
		return "", false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	kind, ok := t.kinds[at.ID]
	return kind, ok
}

// taskIn is the id of the task that an answer names, "" where it names none.
func taskIn(b []byte) string {
	v, _ := jsontext.Parse(b) // what is no JSON names none
	top, _ := v.(jsontext.Object)
	output, _ := top.Find("output").(jsontext.Object)
	id, _ := output.Find("task_id").(string)
	return id
}

// ended is how a struck task is: failed, or not done yet.
func ended(b []byte, kind fault.Kind) ([]byte, error) {
	v, err := jsontext.Parse(b)
	top, _ := v.(jsontext.Object)
	output, ok := top.Find("output").(jsontext.Object)
	if err != nil || !ok {
		return nil, errors.New("the answer is not a task")
	}
	for _, made := range []string{"results", "choices", "task_metrics", "end_time", "code", "message"} {
		output = without(output, made)
	}
	if kind == fault.TaskFailed {
		set(&output, "task_status", "FAILED")
		set(&output, "code", "InternalError.Algo")
		set(&output, "message", "An internal algorithm error occurred.")
	} else {
		set(&output, "task_status", "RUNNING")
	}
	set(&top, "output", output)
	return jsontext.AppendValue(nil, without(top, "usage")), nil
}

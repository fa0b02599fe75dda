package proxy

import (
	"errors"
	"sync"

	"evalctl/mocks/fault"
	"evalctl/mocks/jsontext"
	"evalctl/mocks/wire"
)

// maxTasks is the number of stored tasks; the oldest is dropped.
const maxTasks = 10_000

// tasks stores the tasks for which a fault was triggered at creation.
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

// find returns the fault of a task; ok is false if there is none.
func (t *tasks) find(at wire.Route) (fault.Kind, bool) {
	if at.Endpoint != wire.TaskPoll {
		return "", false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	kind, ok := t.kinds[at.ID]
	return kind, ok
}

// taskID returns the task id in an answer; empty: none.
func taskID(b []byte) string {
	v, _ := jsontext.Parse(b) // anything but JSON contains no id
	top, _ := v.(jsontext.Object)
	output, _ := top.Find("output").(jsontext.Object)
	id, _ := output.Find("task_id").(string)
	return id
}

// setTaskState changes the state of an affected task to failed or still running.
func setTaskState(b []byte, kind fault.Kind) ([]byte, error) {
	v, err := jsontext.Parse(b)
	top, _ := v.(jsontext.Object)
	output, ok := top.Find("output").(jsontext.Object)
	if err != nil || !ok {
		return nil, errors.New("the answer is not a task")
	}
	for _, key := range []string{"results", "choices", "task_metrics", "end_time", "code", "message"} {
		output = removeKey(output, key)
	}
	if kind == fault.TaskFailed {
		setKey(&output, "task_status", "FAILED")
		setKey(&output, "code", "InternalError.Algo")
		setKey(&output, "message", "An internal algorithm error occurred.")
	} else {
		setKey(&output, "task_status", "RUNNING")
	}
	setKey(&top, "output", output)
	return jsontext.AppendValue(nil, removeKey(top, "usage")), nil
}

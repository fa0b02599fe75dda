package proxy

import (
	"errors"
	"sync"

	"evalctl/mocks/fault"
	"evalctl/mocks/jsontext"
	"evalctl/mocks/wire"
)

// maxTasks is the maximum number of stored task ids. When it is exceeded, the oldest is dropped.
const maxTasks = 10_000

// tasks stores which fault affects which image task. The fault is triggered when the task is
// created, and shows when the client polls the task.
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

// find returns the fault of the task that a request polls. ok is false if there is none.
func (t *tasks) find(at wire.Route) (fault.Kind, bool) {
	if at.Endpoint != wire.TaskPoll {
		return "", false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	kind, ok := t.kinds[at.ID]
	return kind, ok
}

// taskID returns the id of the image task in an answer; empty: none.
func taskID(b []byte) string {
	v, _ := jsontext.Parse(b) // a text that is not JSON contains no id
	top, _ := v.(jsontext.Object)
	output, _ := top.Find("output").(jsontext.Object)
	id, _ := output.Find("task_id").(string)
	return id
}

// setTaskState changes the answer to a poll so that the task has failed, or is still running, as
// kind specifies.
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

package mocks

import (
	"time"
)

// task is a picture in the making. Its state follows from the time.
type task struct {
	id, prompt string // an edit's answer does not repeat its prompt: it is empty
	extend     bool
	n          int
	seed       uint64 // of the pictures' addresses
	created    time.Time
	scheduled  time.Time
	end        time.Time
	failed     bool // in the end
	endless    bool // RUNNING for ever
	canceled   bool
}

// newTask makes a task of a request for pictures; an edit's prompt is empty.
func newTask(seed uint64, b *imageBody, prompt string, now time.Time) *task {
	return &task{
		id: string(appendUUID(nil, mix(seed, 40))), prompt: prompt, n: b.count(), seed: seed,
		extend: b.Parameters.PromptExtend == nil || *b.Parameters.PromptExtend, created: now,
	}
}

func (k *task) status(now time.Time) string {
	switch {
	case k.canceled:
		return "CANCELED"
	case now.Before(k.scheduled):
		return "PENDING"
	case k.endless || now.Before(k.end):
		return "RUNNING"
	case k.failed:
		return "FAILED"
	}
	return "SUCCEEDED"
}

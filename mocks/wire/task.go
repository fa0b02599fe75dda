package wire

import (
	"strings"
	"time"

	"evalctl/mocks/model"
	"evalctl/mocks/random"
)

// Task is a picture in the making. Its state follows from the time.
type Task struct {
	ID, prompt string // an edit's answer does not repeat its prompt: it is empty
	extend     bool
	n          int
	seed       uint64 // of the pictures' addresses
	created    time.Time
	Scheduled  time.Time
	End        time.Time
	Failed     bool // in the end
	Endless    bool // RUNNING for ever
	canceled   bool
}

// maxPrompt is how many tokens of a prompt are read; the rest is cut off.
const maxPrompt = 800

// NewTask makes a task of a request for pictures; an edit's prompt is empty.
func NewTask(seed uint64, b *ImageBody, prompt string, now time.Time) *Task {
	return &Task{
		ID: string(appendUUID(nil, random.Mix(seed, 40))), prompt: strings.Clone(model.CutTokens(prompt, maxPrompt)), n: b.count(), seed: seed,
		extend: b.Parameters.PromptExtend == nil || *b.Parameters.PromptExtend, created: now,
	}
}

func (k *Task) status(now time.Time) string {
	switch {
	case k.canceled:
		return "CANCELED"
	case now.Before(k.Scheduled):
		return "PENDING"
	case k.Endless || now.Before(k.End):
		return "RUNNING"
	case k.Failed:
		return "FAILED"
	}
	return "SUCCEEDED"
}

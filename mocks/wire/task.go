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
	model      string
	requestID  string
	extend     bool
	n          int
	large      *largeUsage // asked for by messages, which are answered by choices; nil: by a prompt
	seed       uint64      // of the pictures' addresses
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
func (c *Call) NewTask(b *ImageBody, prompt string, now time.Time) *Task {
	return &Task{
		ID: string(appendUUID(nil, random.Mix(c.ID, 40))), prompt: strings.Clone(model.CutTokens(prompt, maxPrompt)), model: b.Model,
		requestID: c.requestID(), n: b.count(), seed: c.ID, extend: b.Parameters.PromptExtend == nil || *b.Parameters.PromptExtend, created: now,
	}
}

// Answers makes a task answer messages, with pictures of a size.
func (k *Task) Answers(b *ImageBody, w, h int) { k.large = b.largeUsage(w, h) }

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

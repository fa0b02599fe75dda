package wire

import (
	"strings"
	"time"

	"evalctl/mocks/model"
	"evalctl/mocks/random"
)

// Task is an image generation task. Its state depends on the time.
type Task struct {
	ID, prompt   string // empty for edits, whose answers do not repeat the prompt
	model        string
	requestID    string
	extendPrompt bool
	n            int
	messageUsage *largeUsage // set for tasks created from messages, which return choices; nil: from a prompt
	seed         uint64      // of the image URLs
	created      time.Time
	Scheduled    time.Time
	End          time.Time
	Failed       bool // at the end
	Endless      bool // RUNNING forever
	canceled     bool
}

// maxPrompt is the maximum number of prompt tokens; the rest is cut off.
const maxPrompt = 800

// NewTask returns a task for an image request. The prompt of an edit is empty.
func (c *Call) NewTask(b *ImageBody, prompt string, now time.Time) *Task {
	return &Task{
		ID:           string(appendUUID(nil, random.Mix(c.ID, 40))),
		prompt:       strings.Clone(model.CutTokens(prompt, maxPrompt)),
		model:        b.Model,
		requestID:    c.requestID(),
		n:            b.count(),
		seed:         c.ID,
		extendPrompt: b.Parameters.PromptExtend == nil || *b.Parameters.PromptExtend,
		created:      now,
	}
}

// SetMessageFormat sets the answer format for messages and the image size.
func (k *Task) SetMessageFormat(b *ImageBody, w, h int) { k.messageUsage = b.largeUsage(w, h) }

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

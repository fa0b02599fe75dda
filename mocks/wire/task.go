package wire

import (
	"strings"
	"time"

	"evalctl/mocks/model"
	"evalctl/mocks/random"
)

// Task is an asynchronous image generation task of the simulated DashScope. Its state follows from
// its times.
type Task struct {
	ID, prompt   string // prompt is empty for edits, whose answers do not repeat the prompt
	model        string
	requestID    string
	extendPrompt bool
	n            int
	// usage in the answers of a task that was created from messages; nil: created from a prompt
	messageUsage *largeUsage
	seed         uint64 // seed of the image URLs
	created      time.Time
	StartTime    time.Time // when the task starts to run
	EndTime      time.Time // when the task ends
	Failed       bool      // the task fails at EndTime
	NeverEnds    bool      // the task stays RUNNING
	canceled     bool
}

// maxPrompt is the maximum number of tokens of a prompt. The rest is cut off, as in the real
// service.
const maxPrompt = 800

// NewTask returns a new task for an image request. For an edit, prompt is empty.
func (c *Call) NewTask(b *ImageBody, prompt string, now time.Time) *Task {
	return &Task{
		ID:           string(appendUUID(nil, random.Mix(c.IDSeed, 40))),
		prompt:       strings.Clone(model.TruncateTokens(prompt, maxPrompt)),
		model:        b.Model,
		requestID:    c.requestID(),
		n:            b.count(),
		seed:         c.IDSeed,
		extendPrompt: b.Parameters.PromptExtend == nil || *b.Parameters.PromptExtend,
		created:      now,
	}
}

// SetMessageFormat marks the task as created from messages, with images of width w and height h.
// Its answers then have the format for messages.
func (k *Task) SetMessageFormat(b *ImageBody, w, h int) { k.messageUsage = b.largeUsage(w, h) }

func (k *Task) status(now time.Time) string {
	switch {
	case k.canceled:
		return "CANCELED"
	case now.Before(k.StartTime):
		return "PENDING"
	case k.NeverEnds || now.Before(k.EndTime):
		return "RUNNING"
	case k.Failed:
		return "FAILED"
	}
	return "SUCCEEDED"
}

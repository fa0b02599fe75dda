// Package model contains the simulated chat models: correct labels with a known accuracy, verdicts
// of known quality, or plausible text.
package model

import (
	"strings"
	"time"

	"evalctl/mocks/component"
	"evalctl/mocks/random"
)

// Model generates the answers of a chat model.
type Model interface {
	Answer(Request) Answer
}

// Func is a function as a Model.
type Func func(Request) Answer

var _ Model = Func(nil)

func (f Func) Answer(r Request) Answer { return f(r) }

// Classifier is a Model that can determine the part of a request. A result without a chat model
// leaves the default rule in place.
type Classifier interface {
	Classify(Request) string
}

// Request is a chat request as a Model receives it.
type Request struct {
	Part          string         // of the agent
	Component     component.Role // the role of the part
	Model         string         // without the part's name
	Messages      []Message
	Text          string // of the last user message
	Images        int    // in all messages
	JSON          bool   // response_format json_object or json_schema
	Stream        bool
	Tools         []string // names of the offered functions
	FallbackLabel bool     // a decision must be the fallback label
	Nth           int      // number of the part's call, from 1; 0 while classifying
	Place         Place    // in a trial
}

// Place identifies a call within a trial. It never depends on the content of the request. The zero
// Place means that there is no trial; then the request's text identifies the call.
type Place struct {
	Turn    int    // of the conversation, from 1; 0: outside any turn
	Branch  string // of parallel work within the turn; empty: sequential
	Loop    int    // number of the part's call within the turn and branch, from 1; a retry has the number of its call
	Attempt int    // number of the attempt, from 1
}

// Seed mixes a seed with the place of a call of a part.
func (p Place) Seed(seed uint64, part string) uint64 {
	seed = random.Hash(random.Mix(random.Hash(seed, part), uint64(p.Turn)), p.Branch)
	return random.Mix(random.Mix(seed, uint64(p.Loop)), uint64(p.Attempt))
}

// seedOf returns the seed of the answer to a request: from its place in a trial, else from its
// text.
func (r *Request) seedOf(seed uint64) uint64 {
	if r.Place == (Place{}) {
		return random.Hash(seed, r.Text)
	}
	return r.Place.Seed(seed, r.Part)
}

// SystemContains reports whether a system message contains the text.
func (r *Request) SystemContains(text string) bool {
	for _, m := range r.Messages {
		if m.Role == "system" && strings.Contains(m.Text, text) {
			return true
		}
	}
	return false
}

// endsWithUser reports whether the last message is the user's and not a tool result.
func (r *Request) endsWithUser() bool {
	return len(r.Messages) > 0 && r.Messages[len(r.Messages)-1].Role == "user"
}

// Message is a message as text; parts are joined by newlines.
type Message struct {
	Role string
	Text string
}

// Answer is a model's answer. The zero Answer is an empty message.
type Answer struct {
	Content      string
	Reasoning    string // only used if the model thinks
	ToolCalls    []ToolCall
	FinishReason string        // empty: stop, or tool_calls
	Usage        *Usage        // nil: estimated
	Delay        time.Duration // in addition to the latency
	Refusal      *Refusal      // not nil: an error instead of an answer
}

// Refusal is an error of a provider. Empty fields are filled in from the status, by the dialect.
type Refusal struct {
	Status     int
	Type       string
	Code       string
	Message    string
	Param      string
	RetryAfter time.Duration // 0: no Retry-After header
}

// ToolCall is a call of a function. An empty ID is generated.
type ToolCall struct {
	ID        string
	Name      string
	Arguments string // JSON; empty: the content, converted to the function's parameters
}

// Usage counts tokens. Reasoning is part of Completion, Cached is part of Prompt.
type Usage struct {
	Prompt     int
	Completion int
	Reasoning  int
	Cached     int
}

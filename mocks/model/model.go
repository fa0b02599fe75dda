// Package model is what simulated chat models say: the right label with a known
// accuracy, a verdict of known quality, or believable words.
package model

import (
	"strings"
	"time"

	"evalctl/mocks/component"
	"evalctl/mocks/random"
)

// Model decides what a chat model says.
type Model interface {
	Answer(Request) Answer
}

// Func makes a function a Model.
type Func func(Request) Answer

var _ Model = Func(nil)

// Answer calls f.
func (f Func) Answer(r Request) Answer { return f(r) }

// Classifier is a Model that knows better which part of the agent a request is
// of. Anything but a part that speaks leaves the usual rule standing.
type Classifier interface {
	Classify(Request) string
}

// Request is a chat request as a Model sees it.
type Request struct {
	Part          string         // of the agent
	Component     component.Role // whose work the part does
	Model         string         // without the part's name, where that stands before it or in its place
	Messages      []Message
	Text          string // of the last user message
	Images        int    // pictures in all messages
	JSON          bool   // response_format json_object or json_schema
	Stream        bool
	Tools         []string // names of the functions offered
	FallbackLabel bool     // who decides is to give the residual label
	Nth           int      // call of this part, from 1; 0 while classifying
	Place         Place    // within a trial
}

// Place identifies a call within a trial. It never depends on what the request says. The zero
// Place means that there is no trial: then the request's text identifies it.
type Place struct {
	Turn    int    // of the conversation, from 1; 0: outside any turn
	Branch  string // of work that runs in parallel within the turn; "": it runs in sequence
	Loop    int    // counts the part's calls within the turn and branch, from 1; a retry has its call's
	Attempt int    // at the call, from 1
}

// Seed mixes a seed with the place of a call of a part.
func (p Place) Seed(seed uint64, part string) uint64 {
	seed = random.Hash(random.Mix(random.Hash(seed, part), uint64(p.Turn)), p.Branch)
	return random.Mix(random.Mix(seed, uint64(p.Loop)), uint64(p.Attempt))
}

// draw seeds what is drawn for the answer to a request: by its place in a trial, else by its text.
func (r *Request) draw(seed uint64) uint64 {
	if r.Place == (Place{}) {
		return random.Hash(seed, r.Text)
	}
	return r.Place.Seed(seed, r.Part)
}

// SystemContains tells whether a system message has the text.
func (r *Request) SystemContains(text string) bool {
	for _, m := range r.Messages {
		if m.Role == "system" && strings.Contains(m.Text, text) {
			return true
		}
	}
	return false
}

// byUser tells whether the user spoke last, not a tool that was called.
func (r *Request) byUser() bool {
	return len(r.Messages) > 0 && r.Messages[len(r.Messages)-1].Role == "user"
}

// Message is a message's text; parts are joined by newlines.
type Message struct {
	Role string
	Text string
}

// Answer is what a model says. The zero Answer is an empty message.
type Answer struct {
	Content      string
	Reasoning    string // shown only where the request lets the model think
	ToolCalls    []ToolCall
	FinishReason string        // empty: stop, or tool_calls
	Usage        *Usage        // nil: estimated
	Delay        time.Duration // on top of the latency
	Refusal      *Refusal      // not nil: an error in place of an answer
}

// Refusal is an error as a provider sends it. What is empty is filled in from
// the status, as the dialect has it.
type Refusal struct {
	Status     int
	Type       string
	Code       string
	Message    string
	Param      string
	RetryAfter time.Duration // 0: no Retry-After header
}

// ToolCall is a call of a function; an empty ID is made up.
type ToolCall struct {
	ID        string
	Name      string
	Arguments string // JSON; empty: the content, as it fits the function's parameters
}

// Usage counts tokens; Reasoning is part of Completion, Cached of Prompt.
type Usage struct {
	Prompt     int
	Completion int
	Reasoning  int
	Cached     int
}

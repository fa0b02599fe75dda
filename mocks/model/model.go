// Package model contains the simulated chat models that answer for the components of an agent:
// routers with a known accuracy, critics with a known error, and plausible text for all others.
package model

import (
	"strings"
	"time"

	"evalctl/mocks/component"
	"evalctl/mocks/random"
)

// Model is a simulated chat model. It generates the answers of a mock server.
type Model interface {
	Answer(Request) Answer
}

// Func is a function that implements Model.
type Func func(Request) Answer

var _ Model = Func(nil)

func (f Func) Answer(r Request) Answer { return f(r) }

// Classifier is a Model that can determine which component a request comes from. Classify returns
// the component's name. If no component with a chat model has this name, the form of the request
// decides, such as JSON mode or an image.
type Classifier interface {
	Classify(Request) string
}

// Request is a chat request as a Model receives it, independent of the provider's format.
type Request struct {
	ComponentName      string         // name of the agent component that sends the request
	Role               component.Role // role of that component, such as router
	Model              string         // requested model, without the component's name
	Messages           []Message      // all messages, oldest first
	Text               string         // text of the last user message
	ImageCount         int            // number of images in all messages
	RequiresJSON       bool           // the request requires JSON (response_format json_object or json_schema)
	Stream             bool           // the request requires a streamed answer
	Tools              []string       // names of the tools that the model may call
	ForceFallbackLabel bool           // a fault forces a decision to be the fallback label
	CallNumber         int            // number of the component's call, from 1; 0 while the request is classified
	Position           CallPosition   // position of the call in its trial; zero: there is no trial
}

// CallPosition is the position of a call within a trial. It never depends on the content of the
// request. Random draws depend on the position, so that variants with different prompts get the
// same draws. The zero CallPosition means that there is no trial; then the request's text
// determines the draws.
type CallPosition struct {
	Turn   int    // number of the turn in the conversation, from 1; 0: outside any turn
	Branch string // name of one of several parallel branches of the turn; empty: no parallel work
	// number of the component's call within the turn and branch, from 1; a retry has the number of
	// its first attempt
	CallNumber int
	Attempt    int // number of the attempt, from 1; more than 1 for a retry
}

// Seed returns the seed for the random draws of a component's call at this position.
func (p CallPosition) Seed(seed uint64, part string) uint64 {
	seed = random.Hash(random.Mix(random.Hash(seed, part), uint64(p.Turn)), p.Branch)
	return random.Mix(random.Mix(seed, uint64(p.CallNumber)), uint64(p.Attempt))
}

// seedOf returns the seed of the answer to a request: from its position in a trial, or else from
// its text.
func (r *Request) seedOf(seed uint64) uint64 {
	if r.Position == (CallPosition{}) {
		return random.Hash(seed, r.Text)
	}
	return r.Position.Seed(seed, r.ComponentName)
}

// SystemContains reports whether a system message of the request contains the text.
func (r *Request) SystemContains(text string) bool {
	for _, m := range r.Messages {
		if m.Role == "system" && strings.Contains(m.Text, text) {
			return true
		}
	}
	return false
}

// endsWithUser reports whether the last message is from the user, not a tool result.
func (r *Request) endsWithUser() bool {
	return len(r.Messages) > 0 && r.Messages[len(r.Messages)-1].Role == "user"
}

// Message is one message of a chat request. A message with several parts is joined by newlines.
type Message struct {
	Role string // such as system, user or assistant
	Text string
}

// Answer is the answer of a simulated model. The zero Answer is an empty message.
type Answer struct {
	Content       string         // text of the answer
	Reasoning     string         // only sent by models with thinking
	ToolCalls     []ToolCall     // tools that the answer calls
	FinishReason  string         // empty: "stop", or "tool_calls" if there are any
	Usage         *Usage         // token counts; nil: estimated from the texts
	Delay         time.Duration  // waiting time in addition to the configured latency
	ErrorResponse *ErrorResponse // not nil: the model answers with this error
}

// ErrorResponse is an error response of a simulated provider. Empty fields get the usual values of
// the provider for the status.
type ErrorResponse struct {
	Status     int    // HTTP status, such as 429
	Type       string // error type in the body
	Code       string // error code in the body
	Message    string
	Param      string        // invalid parameter that the error names
	RetryAfter time.Duration // value of the Retry-After header; 0: no header
}

// AnswerWithToolCall is a call of a tool in an answer. An empty ID is generated.
type ToolCall struct {
	ID        string
	Name      string // name of the tool
	Arguments string // JSON; empty: generated from the content and the tool's parameters
}

// Usage is the number of tokens of a request and its answer. Reasoning is included in Completion,
// Cached is included in Prompt.
type Usage struct {
	PromptTokens     int
	CompletionTokens int
	ReasoningTokens  int
	CachedTokens     int
}

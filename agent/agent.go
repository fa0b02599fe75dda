// Package agent defines the interface of every agent system: one turn of a conversation in, one
// reply out, with trace events in between.
package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"evalctl/agent/trace"
)

// Agent answers one turn of a conversation. It calls emit for each event (chunk, span, fallback) in
// order, never from two goroutines at once. If Respond returns an error, the reply contains what
// was reached before it.
type Agent interface {
	Respond(ctx context.Context, t Turn, emit func(trace.Event)) (Reply, error)
}

// Func is a function that implements Agent.
type Func func(ctx context.Context, t Turn, emit func(trace.Event)) (Reply, error)

func (f Func) Respond(ctx context.Context, t Turn, emit func(trace.Event)) (Reply, error) {
	return f(ctx, t, emit)
}

// Close closes an agent that implements io.Closer.
func Close(a Agent) error {
	if c, ok := a.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// Turn is one message of the user, with the conversation so far.
type Turn struct {
	Text string `json:"text"`
	// Batch contains the messages that Text joins with a space, in order; nil: Text is one message.
	Batch     []string                   `json:"batch,omitempty"`
	History   []Message                  `json:"history,omitempty"`
	Images    []string                   `json:"images,omitempty"` // http(s) or data URLs
	Mask      string                     `json:"mask,omitempty"`   // data URL, white = edit
	Documents []Document                 `json:"documents,omitempty"`
	State     map[string]json.RawMessage `json:"state,omitempty"` // other state that the system reads, by name
	// Options are switches and parameters of this turn.
	Options map[string]json.RawMessage `json:"options,omitempty"`
	// Session is the id of the session whose memory is used; "": none.
	Session string `json:"session,omitempty"`
	// After is the delay after the turn before; 0: as soon as that is answered.
	After Delay `json:"after,omitzero"`
}

// TotalDelay is the sum of the delays before turns.
func TotalDelay(turns []Turn) (d time.Duration) {
	for _, t := range turns {
		d += time.Duration(t.After)
	}
	return d
}

// Delay is a duration in text form, such as 250ms or 31m.
type Delay time.Duration

// MarshalText formats the delay with time.Duration.String.
func (d Delay) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// UnmarshalText parses the delay with time.ParseDuration and rejects negative values.
func (d *Delay) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	if err != nil || v < 0 {
		return fmt.Errorf("%q is not a duration such as 250ms or 31m", text)
	}
	*d = Delay(v)
	return nil
}

// Message is one earlier message of the user, the assistant or the system.
type Message struct {
	Role              string   `json:"role"` // user, assistant or system
	Content           string   `json:"content"`
	Images            []string `json:"images,omitempty"`
	GeneratedImageURL string   `json:"generated_image_url,omitempty"`
	ImagesExpired     bool     `json:"-"` // the message had images that are no longer stored
}

// Document is a text file attached to a turn.
type Document struct {
	Name    string `json:"name"`
	Content string `json:"content"`
}

// Reply is an agent's answer and the decisions behind it.
type Reply struct {
	Content    string `json:"content"`
	Predicted  string `json:"predicted"`   // the route decided
	AnsweredBy string `json:"answered_by"` // the route that answered, after fallbacks
	DecidedBy  string `json:"decided_by"`  // source of the decision, such as llm, rules or guard
	Rule       string `json:"rule,omitempty"`
	// Confidence is in 0..1; 0 may mean that none was given, see StatedConfidence.
	Confidence        float64    `json:"confidence,omitempty"`
	GeneratedImageURL string     `json:"generated_image_url,omitempty"`
	ToolCalls         []ToolCall `json:"tool_calls,omitempty"`

	Slots map[string]string `json:"slots,omitempty"` // values that the decision extracts: subject, style …
	// Attributes are further labels of how the turn was answered, such as strategy.
	Attributes map[string]string `json:"attributes,omitempty"`
	Retrieved  []Hit             `json:"retrieved,omitempty"` // best first
	// ErrorReply is set if the answer is only an error message.
	ErrorReply *ErrorReply `json:"error_reply,omitempty"`
	// ModelDecision is the output of the deciding model; nil: no call, or an invalid answer.
	ModelDecision *ModelDecision `json:"model_decision,omitempty"`

	// Replies are the messages of an answer that consists of several; Content contains all of them.
	Replies []ReplyMessage `json:"replies,omitempty"`
	Steps   []Step         `json:"steps,omitempty"`   // the decisions of a turn that makes several
	Batched bool           `json:"batched,omitempty"` // the message is part of a batch that a later turn answers
}

// ReplyMessage is one of several messages of an answer.
type ReplyMessage struct {
	Content      string  `json:"content"`
	DelaySeconds float64 `json:"send_delay_seconds"` // after the message before
}

// Step is one of several decisions of a turn.
type Step struct {
	Proposed  string `json:"proposed"`   // label that the decider returned; "": none
	Executed  string `json:"executed"`   // label that was executed; "": the decider is called again
	DecidedBy string `json:"decided_by"` // source of Executed
	// Reason is machine-readable: why Executed differs from Proposed, or why the step is the last.
	Reason string `json:"reason,omitempty"`
}

// StatedConfidence is the confidence of the decision, or nil if none was given.
func (r Reply) StatedConfidence() *float64 {
	if r.Confidence > 0 || r.ModelDecision != nil && r.ModelDecision.Confidence != nil {
		return new(r.Confidence)
	}
	return nil
}

// ModelDecision is the output of the deciding model, accepted or not.
type ModelDecision struct {
	Label      string   `json:"label"`
	Confidence *float64 `json:"confidence,omitempty"` // 0..1; nil: not given
	// DecisionIfAccepted is the decision if the model is trusted. It is set only if it differs from
	// Label because the route of that label is not available.
	DecisionIfAccepted string `json:"if_accepted,omitempty"`
	// DecisionIfRejected is the decision if the confidence is below the threshold; "": no
	// threshold.
	DecisionIfRejected string `json:"if_rejected,omitempty"`
}

// Hit is a search result from a store.
type Hit struct {
	ID         string  `json:"id"`
	Similarity float64 `json:"similarity"` // 0..1
}

// HasDecision reports whether the reply contains a decision. It is false for an error reply without
// a source: its Predicted must not be scored.
func (r Reply) HasDecision() bool {
	return r.ErrorReply == nil || r.Predicted != "" && r.DecidedBy != ""
}

// ErrorReply explains why an answer is only an error message.
type ErrorReply struct {
	Code    string `json:"code"`    // MASK_REQUIRED, PLANNER_FAILED …
	Message string `json:"message"` // for the user
	Node    string `json:"node"`
	Cause   string `json:"cause,omitempty"` // kind of the failed call, as named in its span; "": no call failed
}

// Public is the error as sent to a user interface, without Cause.
func (f ErrorReply) Public() ErrorReply {
	f.Cause = ""
	return f
}

// ToolCall is a tool call that the agent made for its answer.
type ToolCall struct {
	Name   string `json:"name"`
	Input  string `json:"input"`
	Output string `json:"output"`
}

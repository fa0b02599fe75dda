// Package agent says what every agent system takes and gives: one turn of a
// conversation in, one reply out, with events on the way.
package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"evalctl/agent/trace"
)

// Agent answers one turn of a conversation. Events (chunks, spans, fallbacks)
// reach emit in order, from one goroutine at a time. The reply is meaningful
// also beside an error: it then holds what was reached.
type Agent interface {
	Respond(ctx context.Context, t Turn, emit func(trace.Event)) (Reply, error)
}

// Func lets a function be an Agent.
type Func func(ctx context.Context, t Turn, emit func(trace.Event)) (Reply, error)

// Respond calls f.
func (f Func) Respond(ctx context.Context, t Turn, emit func(trace.Event)) (Reply, error) {
	return f(ctx, t, emit)
}

// Close closes an agent, if that can be.
func Close(a Agent) error {
	if c, ok := a.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// Turn is what the user sends, with the conversation so far.
type Turn struct {
	Text      string                     `json:"text"`
	Batch     []string                   `json:"batch,omitempty"` // the messages, in order, that Text is made of, joined by a space; nil: Text is one
	History   []Message                  `json:"history,omitempty"`
	Images    []string                   `json:"images,omitempty"` // http(s) or data URLs
	Mask      string                     `json:"mask,omitempty"`   // data URL, white = edit
	Documents []Document                 `json:"documents,omitempty"`
	State     map[string]json.RawMessage `json:"state,omitempty"`   // what the system remembers besides
	Options   map[string]json.RawMessage `json:"options,omitempty"` // switches of the one turn, such as gates
	Session   string                     `json:"session,omitempty"` // whose memory it shares; "": none's
	After     Delay                      `json:"after,omitzero"`    // sent so long after the turn before was; 0: once that is answered
}

// TotalDelay is the time that a user lets pass between turns.
func TotalDelay(turns []Turn) (d time.Duration) {
	for _, t := range turns {
		d += time.Duration(t.After)
	}
	return d
}

// DelaySeconds is a duration written as 250ms or 31m.
type Delay time.Duration

// MarshalText writes a duration as time.Duration does.
func (d Delay) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// UnmarshalText reads what time.ParseDuration does, but nothing negative.
func (d *Delay) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	if err != nil || v < 0 {
		return fmt.Errorf("%q is not a duration such as 250ms or 31m", text)
	}
	*d = Delay(v)
	return nil
}

// Message is one earlier turn of either side.
type Message struct {
	Role              string   `json:"role"` // user, assistant or system
	Content           string   `json:"content"`
	Images            []string `json:"images,omitempty"`
	GeneratedImageURL string   `json:"generated_image_url,omitempty"`
	ImagesExpired     bool     `json:"-"` // it had pictures that are no longer remembered
}

// Document is a text file that came with a turn.
type Document struct {
	Name    string `json:"name"`
	Content string `json:"content"`
}

// Reply is an agent's answer and how it came about.
type Reply struct {
	Content           string     `json:"content"`
	Predicted         string     `json:"predicted"`   // the route decided
	AnsweredBy        string     `json:"answered_by"` // the route that answered, after degradation
	DecidedBy         string     `json:"decided_by"`  // who decided: llm, rules or gate
	Rule              string     `json:"rule,omitempty"`
	Confidence        float64    `json:"confidence,omitempty"` // 0..1; a 0 that Decider does not state: nobody said, see Sure
	GeneratedImageURL string     `json:"generated_image_url,omitempty"`
	ToolCalls         []ToolCall `json:"tool_calls,omitempty"`

	Slots         map[string]string `json:"slots,omitempty"`          // what the decision names besides: subject, style …
	Attributes    map[string]string `json:"attributes,omitempty"`     // how the answer came about, in further labels: strategy …
	Retrieved     []Hit             `json:"retrieved,omitempty"`      // best first
	ErrorReply    *ErrorReply       `json:"error_reply,omitempty"`    // what the answer apologises for
	ModelDecision *ModelDecision    `json:"model_decision,omitempty"` // what the deciding model said; nil: none was asked, or its answer was none

	Replies []ReplyMessage `json:"replies,omitempty"` // the messages of an answer that is several; Content is all of them
	Steps   []Step         `json:"steps,omitempty"`   // the decisions of a turn in which it is decided again and again
	Batched bool           `json:"batched,omitempty"` // the message is part of a batch that a later turn's reply answers
}

// ReplyMessage is one message of an answer.
type ReplyMessage struct {
	Content      string  `json:"content"`
	DelaySeconds float64 `json:"send_delay_seconds"` // after the message before
}

// Step is one of several decisions of a turn.
type Step struct {
	Proposed  string `json:"proposed"`         // as the decider gave it; "": it gave none
	Executed  string `json:"executed"`         // what was done; "": the decider is asked again
	DecidedBy string `json:"decided_by"`       // who decided on Taken, as a Source is named
	Reason    string `json:"reason,omitempty"` // why that is not what was asked, or why it is the last; for a program
}

// StatedConfidence is how sure the decision is, nil where nobody said.
func (r Reply) StatedConfidence() *float64 {
	if r.Confidence > 0 || r.ModelDecision != nil && r.ModelDecision.Confidence != nil {
		return new(r.Confidence)
	}
	return nil
}

// ModelDecision is what a deciding model said, whether or not it was followed.
type ModelDecision struct {
	Label      string   `json:"label"`
	Confidence *float64 `json:"confidence,omitempty"`  // 0..1; nil: it did not say
	IfAccepted string   `json:"if_accepted,omitempty"` // the decision where it is trusted, if another than Label: that one is closed
	IfRejected string   `json:"if_rejected,omitempty"` // the decision where its confidence is below the threshold; "": none stands over it
}

// Hit is something that was found in a store.
type Hit struct {
	ID         string  `json:"id"`
	Similarity float64 `json:"similarity"` // 0..1
}

// HasDecision is false for an apology in place of a decision, of which nobody is the
// Source: whatever it says to be Predicted is then no wrong decision.
func (r Reply) HasDecision() bool {
	return r.ErrorReply == nil || r.Predicted != "" && r.DecidedBy != ""
}

// ErrorReply is why there is only an apology.
type ErrorReply struct {
	Code    string `json:"code"`    // MASK_REQUIRED, PLANNER_FAILED …
	Message string `json:"message"` // for the user
	Node    string `json:"node"`
	Cause   string `json:"cause,omitempty"` // the kind of the failed call, as a span names it; "": none failed
}

// Public is the failure as an error event tells a user interface of it: which
// call failed is not the user's concern.
func (f ErrorReply) Public() ErrorReply {
	f.Cause = ""
	return f
}

// ToolCall is a tool that the agent used for its answer.
type ToolCall struct {
	Name   string `json:"name"`
	Input  string `json:"input"`
	Output string `json:"output"`
}

// Package agent defines the interface that every agent under evaluation implements: it receives one
// turn of a conversation and returns one reply. Trace events in between show how it got there.
package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"evalctl/agent/trace"
)

// Agent answers one turn of a conversation. It calls emit for each trace event (text chunk, model
// call, fallback) in order, and never from two goroutines at once. If Respond returns an error, the
// reply contains the partial result.
type Agent interface {
	Respond(ctx context.Context, t Turn, emit func(trace.Event)) (Reply, error)
}

// Func adapts a function to the Agent interface.
type Func func(ctx context.Context, t Turn, emit func(trace.Event)) (Reply, error)

func (f Func) Respond(ctx context.Context, t Turn, emit func(trace.Event)) (Reply, error) {
	return f(ctx, t, emit)
}

// Close closes an agent that implements io.Closer and does nothing for other agents.
func Close(a Agent) error {
	if c, ok := a.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// Turn is one message of the user, together with the conversation before it.
type Turn struct {
	Text string `json:"text"` // what the user wrote
	// ButtonID is the id of the button that the user pressed; "": none. Text is then its label, or
	// what the user entered for it.
	ButtonID string `json:"action,omitempty"`
	// Batch contains the messages that Text joins with spaces; nil: Text is a single message.
	Batch   []string  `json:"batch,omitempty"`
	History []Message `json:"history,omitempty"`
	Images  []string  `json:"images,omitempty"` // http(s) or data URLs
	// data URL of a mask for image editing; white areas are edited
	Mask      string     `json:"mask,omitempty"`
	Documents []Document `json:"documents,omitempty"` // text files that the user attached
	// tools that the agent chooses from in this turn, instead of the labels of the dataset; nil:
	// the labels
	Tools []Tool `json:"tools,omitempty"`
	// further inputs of the agent by name, such as stored memories
	State map[string]json.RawMessage `json:"state,omitempty"`
	// Options are switches and parameters of the agent for this turn, by name.
	Options map[string]json.RawMessage `json:"options,omitempty"`
	// FailedMessage is the user's message of the previous turn, if that turn was canceled or its
	// answer was an error reply; nil: it was answered. If the turn only repeated a message with a
	// button, it is that message. History contains it only if the agent did not reject it.
	FailedMessage *Message `json:"-"`
	// Session identifies the user session whose memory the agent may use; "": no memory.
	Session string `json:"session,omitempty"`
	// User identifies the person whose long-term memory the agent may use; "": unknown.
	User string `json:"user,omitempty"`
	// IsPublicAgent reports that strangers use the agent. Without User, the long-term memory is
	// then that of the session, and otherwise that of the agent's owner.
	IsPublicAgent bool `json:"-"`
	// IsHandedOver reports, after the turn was canceled, whether another call answers the same
	// messages; nil: no. The session then stores nothing for the canceled call.
	IsHandedOver func() bool `json:"-"`
	// Delay is the delay between sending the previous turn and this one; 0: this turn is sent when
	// the previous one has been answered.
	Delay Delay `json:"after,omitzero"`
}

// SessionKey identifies the session of the turn in a store; "": it has none. Users do not share
// sessions, even if they use the same id. Without a user the key is the session id. Neither user
// names nor session ids contain a space.
func (t Turn) SessionKey() string {
	if t.User == "" || t.Session == "" {
		return t.Session
	}
	return t.User + " " + t.Session
}

// TotalDelay returns the sum of the After delays of the turns.
func TotalDelay(turns []Turn) (d time.Duration) {
	for _, t := range turns {
		d += time.Duration(t.Delay)
	}
	return d
}

// Delay is a duration that JSON and YAML files contain as text, such as 250ms or 31m.
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

// Message is one earlier message of the conversation, of the user, the assistant or the system.
type Message struct {
	Role    string   `json:"role"` // user, assistant or system
	Content string   `json:"content"`
	Images  []string `json:"images,omitempty"`
	// image that the assistant generated; "": none
	GeneratedImageURL string `json:"generated_image_url,omitempty"`
	ImagesExpired     bool   `json:"-"` // the message had images that are no longer stored
}

// Document is a text file attached to a turn.
type Document struct {
	Name    string `json:"name"`
	Content string `json:"content"`
}

// Reply is an agent's answer to a turn, with the decisions that led to it.
type Reply struct {
	Content    string `json:"content"`
	Predicted  string `json:"predicted"`      // route (label) that the agent decided on
	AnsweredBy string `json:"answered_by"`    // route that answered; differs from Predicted after a fallback
	DecidedBy  string `json:"decided_by"`     // what made the decision, such as llm, rules or guard
	Rule       string `json:"rule,omitempty"` // name of the rule that decided; "": no rule
	// Confidence of the decision is in 0..1. 0 can also mean that no confidence was given;
	// ReportedConfidence distinguishes the two.
	Confidence float64 `json:"confidence,omitempty"`
	// URL of the image that the agent generated; "": none
	GeneratedImageURL string     `json:"generated_image_url,omitempty"`
	ToolCalls         []ToolCall `json:"tool_calls,omitempty"` // in order

	Slots map[string]string `json:"slots,omitempty"` // values extracted from the message by name: subject, style …
	// Attributes are further labels that describe how the turn was answered, such as strategy.
	Attributes map[string]string `json:"attributes,omitempty"`
	Retrieved  []Hit             `json:"retrieved,omitempty"` // documents found by a search, best first
	// ErrorReply is set if the answer is only an error message; nil: a normal answer.
	ErrorReply *ErrorReply `json:"error_reply,omitempty"`
	// ModelDecision is the output of the deciding model; nil: not called, or an invalid answer.
	ModelDecision *ModelDecision `json:"model_decision,omitempty"`

	// Replies are the messages of an answer sent as several messages; Content contains them all.
	Replies []ReplyMessage `json:"replies,omitempty"`
	Steps   []Step         `json:"steps,omitempty"` // the decisions of a turn that makes several, in order
	// no answer yet: the message joins a batch that a later turn answers
	IsDeferred bool `json:"batched,omitempty"`
}

// ReplyMessage is one message of an answer that is sent as several messages.
type ReplyMessage struct {
	Content      string  `json:"content"`
	DelaySeconds float64 `json:"send_delay_seconds"` // pause after the previous message
}

// Step is one decision of a turn that makes several, such as which worker acts next.
type Step struct {
	Proposed string `json:"proposed"` // label that the deciding model returned; "": none
	// label that was executed; "": discarded, and the deciding model is called again
	Executed  string `json:"executed"`
	DecidedBy string `json:"decided_by"` // what decided on Executed: the model, rules, a guard …
	// Reason is a machine-readable code for why Executed differs from Proposed, or why the turn
	// ends.
	Reason string `json:"reason,omitempty"`
}

// ReportedConfidence returns the confidence of the decision, or nil if none was given.
func (r Reply) ReportedConfidence() *float64 {
	if r.Confidence > 0 || r.ModelDecision != nil && r.ModelDecision.Confidence != nil {
		return new(r.Confidence)
	}
	return nil
}

// ModelDecision is the output of the deciding model, whether or not the agent followed it.
type ModelDecision struct {
	Label      string   `json:"label"`                // route that the model returned
	Confidence *float64 `json:"confidence,omitempty"` // 0..1; nil: not given
	// DecisionIfAccepted is the agent's decision if the confidence reaches the threshold. It is set
	// only if it differs from Label: the route of that label is not available, or the turn's inputs
	// require another one.
	DecisionIfAccepted string `json:"if_accepted,omitempty"`
	// DecisionIfRejected is the decision if the confidence is below the threshold; "": no
	// threshold.
	DecisionIfRejected string `json:"if_rejected,omitempty"`
}

// Hit is one result of a search in a document or memory store.
type Hit struct {
	ID         string  `json:"id"`         // of the document or memory
	Similarity float64 `json:"similarity"` // 0..1
}

// HasDecision reports whether the reply contains a decision that can be scored. An error reply
// without DecidedBy contains none.
func (r Reply) HasDecision() bool {
	return r.ErrorReply == nil || r.Predicted != "" && r.DecidedBy != ""
}

// ErrorReply describes the failure behind an answer that is only an error message.
type ErrorReply struct {
	Code    string `json:"code"`            // machine-readable: MASK_REQUIRED, PLANNER_FAILED …
	Message string `json:"message"`         // text shown to the user
	Node    string `json:"node"`            // node of the agent that failed
	Cause   string `json:"cause,omitempty"` // error kind of the failed call, as in its trace span; "": no call failed
}

// WithoutCause returns a copy without Cause, which users must not see.
func (f ErrorReply) WithoutCause() ErrorReply {
	f.Cause = ""
	return f
}

// ToolCall is a call of a tool that the agent made to produce its answer.
type ToolCall struct {
	Name   string `json:"name"`
	Input  string `json:"input"`  // arguments: plain text or JSON
	Output string `json:"output"` // result; "": the agent did not run the tool
}

package foreign

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/label"
	"evalctl/agent/llm"
	"evalctl/agent/secret"
	"evalctl/agent/system"
	"evalctl/agent/trace"
)

// Names of the calls to the agent, and of the decision source.
const (
	Node   = "agent"
	Source = "agent"
)

// Transport sends requests to an agent.
type Transport interface {
	// Policy returns the policy for a request.
	Policy(q Request) llm.Policy
	// Exchange is one attempt. t receives the events before the answer, and reads the answer.
	Exchange(ctx context.Context, q Request, t *EventReader) (Answer, error)
}

// NoLabel follows the quoted answer in the event of an unknown label.
const NoLabel = " is none of the labels"

// Labels are the valid labels.
type Labels struct {
	set     label.Set
	invalid string
}

// NewLabels returns the labels of a list.
func NewLabels(list []system.Label) Labels {
	return Labels{set: label.NewSet(system.Names(list)...), invalid: label.Invalid(system.Names(list)...)}
}

// Agent is an external agent. It is safe for concurrent use if its Way is.
type Agent struct {
	Transport Transport
	Labels    Labels
	Session   string      // for turns without their own
	Nodes     *NodeNames  // node names for its events; nil: separate ones for each turn
	Secrets   *secret.Set // redacted in its stream; nil: none
}

var _ agent.Agent = (*Agent)(nil)

// Respond calls the agent and reads its answer as a decision. The last event is always KindDone.
func (a *Agent) Respond(ctx context.Context, t agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
	ctx = trace.WithRecorder(ctx, emit)
	var reply agent.Reply
	err := clock.CatchPanic(Node, func() error {
		q := Request{ID: NewID(), Session: a.Session, Turn: t}
		if t.Session != "" {
			q.Session = t.Session
		}
		answer, err := a.ask(ctx, q)
		if err == nil {
			reply = a.Labels.decide(ctx, answer)
		}
		return err
	})
	trace.Emit(ctx, trace.Event{Kind: trace.KindDone, Text: reply.Content})
	return reply, err
}

// ask sends a request and records the result of each attempt in its span.
func (a *Agent) ask(ctx context.Context, q Request) (answer Answer, err error) {
	nodes := cmp.Or(a.Nodes, &NodeNames{})
	_, err = a.Transport.Policy(q).Do(ctx, func(ctx context.Context, s *trace.Span) (err error) {
		s.External = true
		t := &EventReader{
			nodes:    nodes,
			span:     s,
			chunks:   secret.StreamRedactor{Set: a.Secrets},
			thoughts: secret.StreamRedactor{Set: a.Secrets},
		}
		defer t.end(ctx)
		if answer, err = a.Transport.Exchange(ctx, q, t); err != nil {
			return err
		}
		answer.Text = a.Secrets.Redact(cmp.Or(answer.Text, t.text.String()))
		answer.Raw = a.Secrets.Redact(answer.Raw)
		t.count(answer.Tokens)
		return nil
	})
	return answer, err
}

// Close closes the transport if it supports that.
func (a *Agent) Close() error {
	if c, ok := a.Transport.(interface{ Close() error }); ok {
		return c.Close()
	}
	return nil
}

// NewID returns a unique id.
func NewID() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// maxShown limits the shown part of an answer without a label, in bytes.
const maxShown = 2000

// decide reads the label of an answer. An unknown or missing label is a wrong answer, not a
// failure, because the agent has answered.
func (l Labels) decide(ctx context.Context, a Answer) agent.Reply {
	reply := agent.Reply{Content: a.Text, DecidedBy: Source}
	found, ok := l.set.Find(a.Label)
	if !ok {
		why, text := llm.KindLabel, fmt.Sprintf("%.80q", a.Label)+NoLabel
		if !a.HasLabel {
			why, text = llm.KindSchema, "the answer names no label, or two"
		}
		reply.Predicted = l.invalid
		if reply.Content == "" {
			reply.Content = clip(a.Raw, maxShown)
		}
		trace.Emit(ctx, trace.Event{
			Kind:   trace.KindRoute,
			Node:   Node,
			To:     l.invalid,
			Reason: string(why),
			Text:   text,
			Data:   trace.AnswerData(a.Raw),
		})
		return reply
	}
	reply.ModelDecision = &agent.ModelDecision{Label: found, Confidence: a.Confidence}
	if a.Confidence != nil {
		reply.Confidence = *a.Confidence
	}
	if reply.Content == "" {
		reply.Content = found
	}
	reply.Predicted, reply.AnsweredBy = found, found
	trace.Emit(ctx, trace.Event{
		Kind:   trace.KindRoute,
		Node:   Node,
		To:     found,
		Reason: Source,
		Data:   trace.AnswerData(a.Raw),
	})
	return reply
}

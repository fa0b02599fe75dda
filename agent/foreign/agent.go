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

// Node is the node name of calls to the external agent in traces. Source is the value of DecidedBy
// for its decisions.
const (
	Node           = "agent"
	DecisionSource = "agent"
)

// Transport sends requests to an external agent, for example over HTTP or to a process.
type Transport interface {
	// Policy returns the timeout and the retries for a request.
	Policy(q Request) llm.CallPolicy
	// Exchange sends a request once and returns the answer. It passes the agent's events, and the
	// document with the answer, to t.
	Exchange(ctx context.Context, q Request, t *EventReader) (Answer, error)
}

// ValidLabels are the labels that an external agent may return.
type ValidLabels struct {
	set     label.Set
	invalid string
}

// NewValidLabels returns the ValidLabels for a list of labels. aliases maps further names of labels
// to their labels; nil: there are none.
func NewValidLabels(list []system.Label, aliases map[string]string) ValidLabels {
	return ValidLabels{set: label.NewSet(system.LabelNames(list)...).WithAliases(aliases),
		invalid: label.InvalidAnswerLabel(system.LabelNames(list)...)}
}

// Agent calls an external agent. It is safe for concurrent use if its Transport is.
type Agent struct {
	Transport Transport   // required; connects to the agent
	Labels    ValidLabels // the valid labels
	Session   string      // session id for turns that have none
	Nodes     *NodeNames  // shared by agents of the same variant; nil: new ones for each turn
	Secrets   *secret.Set // removed from the agent's output; nil: none
}

var _ agent.Agent = (*Agent)(nil)

// Respond sends a turn to the external agent and returns the label of its answer as the decision.
// The last emitted event is always KindDone.
func (a *Agent) Respond(ctx context.Context, t agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
	ctx = trace.WithRecorder(ctx, emit)
	var reply agent.Reply
	err := clock.CatchPanic(Node, func() error {
		q := Request{ID: NewID(), Session: a.Session, Turn: t}
		if t.Session != "" {
			q.Session = t.Session
		}
		answer, err := a.send(ctx, q)
		if err == nil {
			reply = a.Labels.decide(ctx, answer)
		}
		return err
	})
	trace.Emit(ctx, trace.Event{Kind: trace.KindDone, Text: reply.Content})
	return reply, err
}

// send sends a request with retries and records each attempt as a span.
func (a *Agent) send(ctx context.Context, q Request) (answer Answer, err error) {
	nodes := cmp.Or(a.Nodes, &NodeNames{})
	_, err = a.Transport.Policy(q).Do(ctx, func(ctx context.Context, s *trace.Span) (err error) {
		s.IsExternalAgent = true
		t := &EventReader{
			nodes:    nodes,
			labels:   a.Labels,
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
		answer.Label = a.redactedLabel(answer.Label)
		t.recordUsage(answer.Tokens)
		return nil
	})
	return answer, err
}

// redactedLabel returns a label without secrets. A valid label is public and remains.
func (a *Agent) redactedLabel(answered string) string {
	if _, ok := a.Labels.set.Find(answered); ok {
		return answered
	}
	return a.Secrets.Redact(answered)
}

// Close closes the transport if it has a Close method.
func (a *Agent) Close() error {
	if c, ok := a.Transport.(interface{ Close() error }); ok {
		return c.Close()
	}
	return nil
}

// NewID returns a random id of 16 hex digits, for a request or a session.
func NewID() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// maxShown limits the part of an answer without a label that the reply contains, in bytes.
const maxShown = 2000

// decide returns the reply with the label of an answer. An answer with an unknown or missing label
// is a wrong decision, not a failure, because the agent has answered.
func (l ValidLabels) decide(ctx context.Context, a Answer) agent.Reply {
	reply := agent.Reply{Content: a.Text, DecidedBy: DecisionSource}
	found, ok := l.set.Find(a.Label)
	if !ok {
		why, text := llm.KindUnknownLabel, fmt.Sprintf("%.80q is not one of the labels", a.Label)
		if !a.HasLabel {
			why, text = llm.KindWrongSchema, "the answer names no label, or two"
		}
		reply.Predicted = l.invalid
		if reply.Content == "" {
			reply.Content = clip(a.Raw, maxShown)
		}
		trace.Emit(ctx, trace.Event{
			Kind:   trace.KindRoute,
			Node:   Node,
			From:   trace.ClipLabel(a.Label),
			To:     l.invalid,
			Reason: string(why),
			Text:   text,
			Data:   trace.RawAnswerData(a.Raw),
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
	route := trace.Event{
		Kind:   trace.KindRoute,
		Node:   Node,
		To:     found,
		Reason: DecisionSource,
		Data:   trace.RawAnswerData(a.Raw),
	}
	if a.Label != found {
		route.From = trace.ClipLabel(a.Label)
	}
	trace.Emit(ctx, route)
	return reply
}

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

// Node is that of the calls to the agent, and Source who decides.
const (
	Node   = "agent"
	Source = "agent"
)

// Transport is how an agent is reached.
type Transport interface {
	// Policy is how a question is tried.
	Policy(q Request) llm.Policy
	// Exchange is one attempt at it. What the agent tells before its answer, and the
	// answer, are taken by t.
	Exchange(ctx context.Context, q Request, t *EventReader) (Answer, error)
}

// NoLabel is what the event of an unknown label says of it, after the quoted answer.
const NoLabel = " is none of the labels"

// Labels are those to choose from, as answers name them.
type Labels struct {
	set     label.Set
	invalid string
}

// NewLabels are labels to choose from.
func NewLabels(list []system.Label) Labels {
	return Labels{set: label.NewSet(system.Names(list)...), invalid: label.Invalid(system.Names(list)...)}
}

// Agent is an agent that is not ours. It is safe for concurrent use where its Way is.
type Agent struct {
	Way     Transport
	Labels  Labels
	Session string      // of turns that have none of their own
	Nodes   *NodeNames  // rows for what it tells of its work; nil: each turn's own
	Secrets *secret.Set // are taken out of what it tells in pieces; nil: there are none
}

var _ agent.Agent = (*Agent)(nil)

// Respond asks, and takes the answer for a decision. The last event is the one done, on
// every path.
func (a *Agent) Respond(ctx context.Context, t agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
	ctx = trace.WithRecorder(ctx, emit)
	var reply agent.Reply
	err := clock.CatchPanic(Node, func() error {
		q := Request{ID: NewID(), Session: a.Session, Turn: t}
		if t.Session != "" {
			q.Session = t.Session
		}
		said, err := a.ask(ctx, q)
		if err == nil {
			reply = a.Labels.decide(ctx, said)
		}
		return err
	})
	trace.Emit(ctx, trace.Event{Kind: trace.KindDone, Text: reply.Content})
	return reply, err
}

// ask puts a question, and notes in the span of each attempt what came of it.
func (a *Agent) ask(ctx context.Context, q Request) (said Answer, err error) {
	nodes := cmp.Or(a.Nodes, &NodeNames{})
	_, err = a.Way.Policy(q).Do(ctx, func(ctx context.Context, s *trace.Span) (err error) {
		s.External = true
		t := &EventReader{nodes: nodes, span: s, chunks: secret.StreamRedactor{Set: a.Secrets}, thoughts: secret.StreamRedactor{Set: a.Secrets}}
		defer t.end(ctx)
		if said, err = a.Way.Exchange(ctx, q, t); err != nil {
			return err
		}
		said.Text = a.Secrets.Redact(cmp.Or(said.Text, t.text.String()))
		said.Raw = a.Secrets.Redact(said.Raw)
		t.count(said.Tokens)
		return nil
	})
	return said, err
}

// Close closes the way to the agent, if that can be.
func (a *Agent) Close() error {
	if c, ok := a.Way.(interface{ Close() error }); ok {
		return c.Close()
	}
	return nil
}

// NewID is a name that nobody else has.
func NewID() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // it never fails
	return hex.EncodeToString(b[:])
}

// maxShown is how much of what is no label is kept, in bytes.
const maxShown = 2000

// decide takes an answer's label. One that nobody knows, and none at all, is a wrong
// answer and no failure: the agent has had its say.
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
		trace.Emit(ctx, trace.Event{Kind: trace.KindRoute, Node: Node, To: l.invalid, Reason: string(why), Text: text, Data: trace.AnswerData(a.Raw)})
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
	trace.Emit(ctx, trace.Event{Kind: trace.KindRoute, Node: Node, To: found, Reason: Source, Data: trace.AnswerData(a.Raw)})
	return reply
}

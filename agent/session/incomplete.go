package session

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/trace"
)

// IncompleteTurnSaver is an agent that stores conversations itself, in addition to Turn.History.
type IncompleteTurnSaver interface {
	// SaveIncompleteTurn stores the messages of a turn that ended before its answer was complete,
	// or with an error reply; f is nil without one. ctx does not end with the turn.
	SaveIncompleteTurn(ctx context.Context, t agent.Turn, messages []agent.Message, f *agent.ErrorReply)
}

// seenAnswer is the part of an answer that the user has seen.
type seenAnswer struct {
	text       strings.Builder
	components []byte // components of the user interface, as JSON
}

// record returns a function that records the events of an answer and passes them to emit.
func (s *seenAnswer) record(emit func(trace.Event)) func(trace.Event) {
	return func(e trace.Event) {
		switch e.Kind {
		case trace.KindChunk:
			s.text.WriteString(e.Text)
		case trace.KindGenUIComponent:
			s.components = append(s.components, e.Data...)
		}
		if emit != nil {
			emit(e)
		}
	}
}

// of returns the part of a reply that the user has seen.
func (s *seenAnswer) of(reply agent.Reply) agent.Reply {
	seen := agent.Reply{Content: s.text.String()}
	address, err := json.Marshal(reply.GeneratedImageURL)
	if err == nil && bytes.Contains(s.components, address) {
		seen.GeneratedImageURL = reply.GeneratedImageURL
	}
	return seen
}

// isCutOff reports whether an error reply ends an answer after the user has seen a part of it.
func (s *seenAnswer) isCutOff(reply agent.Reply) bool {
	return reply.ErrorReply != nil && s.text.Len() > 0
}

// remember stores the messages of a turn that was not answered; f is its error reply, or nil.
func (a *Agent) remember(ctx context.Context, s *Session, t agent.Turn, messages []agent.Message, f *agent.ErrorReply) {
	s.History = append(s.History, messages...)
	if own, ok := a.Next.(IncompleteTurnSaver); ok && messages != nil {
		own.SaveIncompleteTurn(clock.WithoutCancel(ctx), t, messages, f)
	}
}

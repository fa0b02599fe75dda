package session

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/trace"
)

// IncompleteTurnSaver is an agent that stores conversations itself, in addition to Turn.History.
type IncompleteTurnSaver interface {
	// SaveIncompleteTurn stores the messages of a turn that ended before its answer was complete,
	// or with an error reply; f is nil without one. messages is not empty, but may lack the message
	// of the user or of the assistant, if it has neither text nor images. ctx does not end with the
	// turn.
	SaveIncompleteTurn(ctx context.Context, t agent.Turn, messages []agent.Message, f *agent.ErrorReply)
}

// seenAnswer is the part of an answer that the user has seen.
type seenAnswer struct {
	text   strings.Builder
	images []string // addresses in components of the user interface, in order, at most maxSeenImageBytes
	size   int      // bytes of images
}

// maxSeenImageBytes limits the addresses of images in an answer that is not complete yet. The oldest
// are dropped. A session does not store a larger image, either.
const maxSeenImageBytes = defaultMaxImageBytes

// record returns a function that records the events of an answer and passes them to emit.
func (s *seenAnswer) record(emit func(trace.Event)) func(trace.Event) {
	return func(e trace.Event) {
		switch e.Kind {
		case trace.KindChunk:
			s.text.WriteString(e.Text)
		case trace.KindGenUIComponent:
			s.addImages(e.Data)
		}
		if emit != nil {
			emit(e)
		}
	}
}

// addImages adds the addresses in a component, which are the JSON strings with the scheme of an
// image. Data after invalid JSON is ignored.
func (s *seenAnswer) addImages(component []byte) {
	d := json.NewDecoder(bytes.NewReader(component))
	for token, err := d.Token(); err == nil; token, err = d.Token() {
		text, _ := token.(string)
		if !isDataURL(text) && !strings.HasPrefix(text, "http://") && !strings.HasPrefix(text, "https://") {
			continue
		}
		s.images = append(s.images, text)
		s.size += len(text)
	}
	for s.size > maxSeenImageBytes {
		s.size -= len(s.images[0])
		s.images = slices.Delete(s.images, 0, 1)
	}
}

// of returns the part of a reply that the user has seen.
func (s *seenAnswer) of(reply agent.Reply) agent.Reply {
	seen := agent.Reply{Content: s.text.String()}
	if slices.Contains(s.images, reply.GeneratedImageURL) {
		seen.GeneratedImageURL = reply.GeneratedImageURL
	}
	return seen
}

// isCutOff reports whether an error reply ends an answer after the user has seen a part of it.
func (s *seenAnswer) isCutOff(reply agent.Reply) bool {
	return reply.ErrorReply != nil && s.text.Len() > 0
}

// rememberUnanswered stores the messages of a turn that was not answered, and the user's message as
// the one that a retry repeats. A turn with a pressed button, or without text and images, does
// not replace the message that failed before. f is the error reply of the turn, or nil.
func (a *Agent) rememberUnanswered(ctx context.Context, s *Session, t agent.Turn, messages []agent.Message,
	f *agent.ErrorReply) {
	s.History = append(s.History, messages...)
	m := agent.Message{Role: "user", Content: t.Text, Images: t.Images}
	if t.ButtonID == "" && !m.IsEmpty() {
		s.FailedMessage = &m
	}
	if own, ok := a.Next.(IncompleteTurnSaver); ok && len(messages) > 0 {
		own.SaveIncompleteTurn(clock.WithoutCancel(ctx), t, messages, f)
	}
}

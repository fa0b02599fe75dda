package newsroom

import (
	"slices"
	"strings"
)

// The state's messages are the conversation, which has no names, and between what
// was said the log: what the supervisor decided, what the route made of it, and
// how each agent fared.

// done is how an agent fared that has made something, askedNote of one that asked.
const (
	done      = "done"
	askedNote = "asked："
)

// say adds what one side of the conversation has said.
func (s *state) say(role, text string) {
	if strings.TrimSpace(text) != "" {
		s.add(message{Role: role, Content: clipped(text)})
	}
}

// note adds to the log.
func (s *state) note(node, text string) {
	s.add(message{Role: "system", Name: node, Content: clipped(text)})
}

func (s *state) add(m message) {
	s.Messages = append(slices.Clip(s.Messages), m)
	if over := len(s.Messages) - mostMessages; over > 0 {
		s.Messages = slices.Clone(s.Messages[over:])
	}
}

// conversation is what was said, but for the last of the user, which is the
// request.
func (s *state) conversation() (said []message) {
	for _, m := range s.Messages {
		if m.Name == "" && (m.Role == "user" || m.Role == "assistant") {
			said = append(said, m)
		}
	}
	if n := len(said); n > 0 && said[n-1].Role == "user" {
		said = said[:n-1]
	}
	return said[max(0, len(said)-mostConversation):]
}

// request is what the user wants of the episode, and what was answered to agents since.
func (s *state) request() (request string, answers []string) {
	asked := false
	for _, m := range s.Messages {
		switch {
		case m.Name != "" && strings.HasPrefix(m.Content, askedNote):
			asked = true
		case m.Name != "" || m.Role != "user":
		case asked:
			answers, asked = append(answers, m.Content), false
		default:
			request, answers = m.Content, nil
		}
	}
	return request, answers
}

// mostConversation is how much of the conversation a model is shown, in messages.
const mostConversation = 10

// log is what happened since the user spoke.
func (s *state) log() []message {
	from := 0
	for i, m := range s.Messages {
		if m.Name == "" && m.Role == "user" {
			from = i + 1
		}
	}
	return slices.DeleteFunc(slices.Clone(s.Messages[from:]), func(m message) bool { return m.Name == "" })
}

// decided is the supervisor's last decision since the user spoke, or before, where
// the work was interrupted.
func (s *state) decided() decision {
	for _, m := range slices.Backward(s.Messages) {
		if m.Name == supervisorNode {
			return readDecision(m.Content)
		}
	}
	return decision{}
}

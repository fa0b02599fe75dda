package newsroom

import (
	"slices"
	"strings"
)

// The state's messages contain the conversation and a log. Messages of the conversation have no
// name. The log has decisions of the supervisor, corrections of the route, and the outcome of each
// agent.

// Log entries of an agent: done after an artifact, askedNote before the keys of its questions.
const (
	done      = "done"
	askedNote = "asked："
)

// say adds a message of the conversation.
func (s *state) say(role, text string) {
	if strings.TrimSpace(text) != "" {
		s.add(message{Role: role, Content: clipped(text)})
	}
}

// note adds an entry to the log.
func (s *state) note(node, text string) {
	s.add(message{Role: "system", Name: node, Content: clipped(text)})
}

func (s *state) add(m message) {
	s.Messages = append(slices.Clip(s.Messages), m)
	if over := len(s.Messages) - mostMessages; over > 0 {
		s.Messages = slices.Clone(s.Messages[over:])
	}
}

// conversation is the conversation without the last message of the user, which is the request.
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

// request is the user's request for the episode, and the answers to questions since then.
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

// mostConversation is the maximum number of conversation messages in a prompt.
const mostConversation = 10

// log are the log entries since the last message of the user.
func (s *state) log() []message {
	from := 0
	for i, m := range s.Messages {
		if m.Name == "" && m.Role == "user" {
			from = i + 1
		}
	}
	return slices.DeleteFunc(slices.Clone(s.Messages[from:]), func(m message) bool { return m.Name == "" })
}

// decided is the supervisor's last decision. It may be older than the last message of the user, if
// the work was interrupted.
func (s *state) decided() decision {
	for _, m := range slices.Backward(s.Messages) {
		if m.Name == supervisorNode {
			return readDecision(m.Content)
		}
	}
	return decision{}
}

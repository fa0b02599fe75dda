package newsroom

import (
	"slices"
	"strings"
)

// The state's messages contain the conversation and a log. Messages of the conversation have no
// name. The log has decisions of the supervisor, corrections of the route, and the outcome of each
// agent.

// Log entries of an agent: done after an artifact, askedPrefix before the keys of its questions.
const (
	outcomeDone = "done"
	askedPrefix = "asked："
)

// addMessage adds a message of the conversation.
func (s *state) addMessage(role, text string) {
	if strings.TrimSpace(text) != "" {
		s.add(message{Role: role, Content: clipBytes(text)})
	}
}

// addLogEntry adds an entry to the log.
func (s *state) addLogEntry(node, text string) {
	s.add(message{Role: "system", Name: node, Content: clipBytes(text)})
}

func (s *state) add(m message) {
	s.Messages = append(slices.Clip(s.Messages), m)
	if over := len(s.Messages) - maxMessages; over > 0 {
		s.Messages = slices.Clone(s.Messages[over:])
	}
}

// conversation is the conversation without the last message of the user, which is the request.
func (s *state) conversation() (messages []message) {
	for _, m := range s.Messages {
		if m.Name == "" && (m.Role == "user" || m.Role == "assistant") {
			messages = append(messages, m)
		}
	}
	if n := len(messages); n > 0 && messages[n-1].Role == "user" {
		messages = messages[:n-1]
	}
	return messages[max(0, len(messages)-maxConversation):]
}

// request is the user's request for the episode, and the answers to questions since then.
func (s *state) request() (request string, answers []string) {
	awaitingAnswer := false
	for _, m := range s.Messages {
		switch {
		case m.Name != "" && strings.HasPrefix(m.Content, askedPrefix):
			awaitingAnswer = true
		case m.Name != "" || m.Role != "user":
		case awaitingAnswer:
			answers, awaitingAnswer = append(answers, m.Content), false
		default:
			request, answers = m.Content, nil
		}
	}
	return request, answers
}

// maxConversation is the maximum number of conversation messages in a prompt.
const maxConversation = 10

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

// lastDecision is the supervisor's last decision. It may be older than the last message of the
// user, if the work was interrupted.
func (s *state) lastDecision() decision {
	for _, m := range slices.Backward(s.Messages) {
		if m.Name == supervisorNode {
			return readDecision(m.Content)
		}
	}
	return decision{}
}

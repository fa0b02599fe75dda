package newsroom

import (
	"slices"
	"strings"

	"evalctl/agent"
)

// The messages of the state contain the conversation and a log. Messages of the conversation have
// no name. Log entries have the name of a node; they record decisions of the supervisor,
// corrections of the route, and the outcome of each agent.

// Texts of log entries: outcomeDone after an agent wrote its artifact, askedPrefix before the keys of
// its questions, resumedEntry before the user's remark when unfinished work resumes.
const (
	outcomeDone  = "done"
	askedPrefix  = "asked："
	resumedEntry = "resumed"
)

// addMessage adds a message to the conversation. A blank message is ignored.
func (s *state) addMessage(role, text string) {
	if strings.TrimSpace(text) != "" {
		s.add(message{Role: role, Content: clipBytes(text)})
	}
}

// markUnanswered adds a note to the conversation if the user's last message was not answered.
func (s *state) markUnanswered() {
	last := message{}
	for _, m := range s.Messages {
		if m.Name == "" {
			last = m
		}
	}
	if last.Role != "user" {
		return
	}
	for _, m := range agent.IncompleteTurnMessages(agent.Turn{Text: last.Content}, agent.Reply{}) {
		if m.Role == "assistant" {
			s.addMessage(m.Role, m.Content)
		}
	}
}

// addLogEntry adds an entry of a node to the log.
func (s *state) addLogEntry(node, text string) {
	s.add(message{Role: "system", Name: node, Content: clipBytes(text)})
}

func (s *state) add(m message) {
	s.Messages = append(slices.Clip(s.Messages), m)
	if over := len(s.Messages) - maxMessages; over > 0 {
		s.Messages = slices.Clone(s.Messages[over:])
	}
}

// conversation returns the messages of the conversation. It omits the user's last message, because
// prompts contain it separately as the request.
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

// request returns the user's latest request, and the user's answers and remarks since then.
func (s *state) request() (request string, answers []string) {
	awaitingAnswer := false
	for _, m := range s.Messages {
		switch {
		case m.Name == checkpointNode, m.Name != "" && strings.HasPrefix(m.Content, askedPrefix):
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

// log returns the log entries since the user's last message.
func (s *state) log() []message {
	from := 0
	for i, m := range s.Messages {
		if m.Name == "" && m.Role == "user" {
			from = i + 1
		}
	}
	return slices.DeleteFunc(slices.Clone(s.Messages[from:]), func(m message) bool { return m.Name == "" })
}

// lastDecision returns the supervisor's last decision. It may be older than the user's last
// message, if a question interrupted the work.
func (s *state) lastDecision() decision {
	for _, m := range slices.Backward(s.Messages) {
		if m.Name == supervisorNode {
			return readDecision(m.Content)
		}
	}
	return decision{}
}

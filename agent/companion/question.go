package companion

import (
	"slices"
	"strings"

	"evalctl/agent"
	"evalctl/agent/llm"
)

// question is what the deciding model is asked: the message, behind as many earlier
// turns as are configured.
func (r *run) question() []llm.Message {
	list := []llm.Message{llm.System(r.Prompts.Intent.Text)}
	for _, m := range lastTurns(r.turn.History, r.History) {
		if said := piece(strings.TrimSpace(m.Content)); said != "" {
			list = appendMessage(list, m.Role, said)
		}
	}
	return append(list, llm.User(r.text))
}

// appendMessage adds what either side has said.
func appendMessage(list []llm.Message, role, content string) []llm.Message {
	switch role {
	case "user":
		return append(list, llm.User(content))
	case "assistant":
		return append(list, llm.Assistant(content))
	}
	return list
}

// lastTurns are the newest n turns of a conversation: a message of the user with all
// that follows it.
func lastTurns(history []agent.Message, n int) []agent.Message {
	from := len(history)
	for i, m := range slices.Backward(history) {
		if n == 0 {
			break
		}
		if m.Role == "user" {
			from, n = i, n-1
		}
	}
	return history[from:]
}

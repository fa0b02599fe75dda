package companion

import (
	"strings"

	"evalctl/agent"
	"evalctl/agent/llm"
)

// question returns the messages for the deciding model: the prompt, the configured number of
// earlier turns, and the user's message.
func (r *run) question() []llm.Message {
	list := []llm.Message{llm.SystemMessage(r.Prompts.Intent.Text)}
	for _, m := range agent.LastTurns(r.turn.History, r.HistoryTurns) {
		if content := excerpt(strings.TrimSpace(m.Content)); content != "" {
			list = appendMessage(list, m.Role, content)
		}
	}
	return append(list, llm.UserMessage(r.text))
}

// appendMessage appends a message of the user or the assistant. Other roles are dropped.
func appendMessage(list []llm.Message, role, content string) []llm.Message {
	switch role {
	case "user":
		return append(list, llm.UserMessage(content))
	case "assistant":
		return append(list, llm.AssistantMessage(content))
	}
	return list
}

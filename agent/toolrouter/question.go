package toolrouter

import (
	"strings"

	"evalctl/agent"
	"evalctl/agent/llm"
)

// maxShown is the maximal length, in characters, of an earlier message in the routing request. The
// beginning is enough to show the topic.
const maxShown = 300

// routingRequest returns the messages for the deciding model: its prompt, Config.HistoryTurns earlier
// turns and the user's text.
func (r *run) routingRequest() []llm.Message {
	list := []llm.Message{llm.SystemMessage(r.Prompts.Router.Text)}
	for _, m := range agent.LastTurns(r.turn.History, r.HistoryTurns) {
		switch content := truncate(m.Content); {
		case content == "": // the turn contained only an image
		case m.Role == "user":
			list = append(list, llm.UserMessage(content))
		case m.Role == "assistant":
			list = append(list, llm.AssistantMessage(content))
		}
	}
	return append(list, llm.UserMessage(r.turn.Text))
}

// truncate removes surrounding spaces from a message and shortens it to maxShown characters.
func truncate(content string) string {
	content = strings.TrimSpace(content)
	seen := 0
	for i := range content {
		if seen == maxShown {
			return strings.TrimSpace(content[:i]) + "…"
		}
		seen++
	}
	return content
}

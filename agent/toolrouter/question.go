package toolrouter

import (
	"strings"

	"evalctl/agent"
	"evalctl/agent/llm"
)

// maxShown is the maximal length of an earlier message in the routing request, in characters. The
// beginning is enough to show the topic.
const maxShown = 300

// routingRequest builds the routing request: the configured number of earlier turns, then the text.
func (r *run) routingRequest() []llm.Message {
	list := []llm.Message{llm.System(r.Prompts.Router.Text)}
	for _, m := range agent.LastTurns(r.turn.History, r.History) {
		switch content := truncate(m.Content); {
		case content == "": // an exchange that only showed a picture
		case m.Role == "user":
			list = append(list, llm.User(content))
		case m.Role == "assistant":
			list = append(list, llm.Assistant(content))
		}
	}
	return append(list, llm.User(r.turn.Text))
}

// truncate returns a message without surrounding space, shortened to maxShown.
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

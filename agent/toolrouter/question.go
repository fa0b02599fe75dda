package toolrouter

import (
	"strings"

	"evalctl/agent"
	"evalctl/agent/llm"
)

// maxShown is how much of an earlier message the router is shown, in characters: its
// beginning tells what it is about.
const maxShown = 300

// question is what the router's model is asked: the text, behind as many earlier turns
// as are configured.
func (r *run) question() []llm.Message {
	list := []llm.Message{llm.System(r.Prompts.Router.Text)}
	for _, m := range agent.LastTurns(r.turn.History, r.History) {
		switch said := beginning(m.Content); {
		case said == "": // it showed a picture
		case m.Role == "user":
			list = append(list, llm.User(said))
		case m.Role == "assistant":
			list = append(list, llm.Assistant(said))
		}
	}
	return append(list, llm.User(r.turn.Text))
}

// beginning is a message without space around it, cut where it is long.
func beginning(content string) string {
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

package toolcaller

import (
	"embed"
	"encoding/json"
	"fmt"
	"strings"

	"evalctl/agent"
	"evalctl/agent/llm"
)

//go:embed prompts/*.md
var shipped embed.FS

// messages returns the messages of the request for a turn: the prompt, the history and the user's
// message.
func (a *Agent) messages(t agent.Turn, o offer) []llm.Message {
	list := []llm.Message{llm.SystemMessage(a.cfg.Prompt.Text)}
	for i, m := range t.History {
		call, ok := o.callOf(m)
		switch {
		case ok:
			call.ID = fmt.Sprintf("call_%d", i)
			list = append(list, llm.ToolCallMessage("", []llm.ToolCall{call}), llm.ToolResultMessage(call, "done"))
		case m.Role == "assistant":
			list = append(list, llm.AssistantMessage(m.Content))
		case m.Role == "system":
			list = append(list, llm.SystemMessage(m.Content))
		default:
			list = append(list, llm.UserMessage(m.Content, m.Images...))
		}
	}
	return append(list, llm.UserMessage(t.Text, t.Images...))
}

// callOf returns the tool call that an earlier reply of the agent describes. The history contains
// it as a tool call, not as text. A model that sees its calls as text begins to answer with text.
func (o offer) callOf(m agent.Message) (call llm.ToolCall, ok bool) {
	name, arguments, _ := strings.Cut(m.Content, " ")
	if _, known := o.labels[name]; m.Role != "assistant" || !known {
		return call, false
	}
	if arguments == "" {
		arguments = "{}"
	}
	return llm.ToolCall{Name: name, Arguments: arguments}, strings.HasPrefix(arguments, "{") &&
		json.Valid([]byte(arguments))
}

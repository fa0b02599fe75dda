package llm

import (
	"encoding/json"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// Tool is a function that a model may call in place of an answer.
type Tool struct {
	Name, Description string
	Parameters        json.RawMessage // JSON Schema of an object; nil: no parameters
}

// ToolCall is a model's call of a function.
type ToolCall struct {
	ID, Name  string
	Arguments string // JSON, unchanged
}

// Limits on the tool calls of one answer.
const (
	maxToolCalls = 128
	maxArguments = 1 << 20 // bytes of all arguments together
)

func wireTools(tools []Tool) (list []chatTool) {
	for _, t := range tools {
		parameters := jsontext.Value(t.Parameters)
		if parameters == nil {
			parameters = jsontext.Value(`{"type":"object","properties":{}}`)
		}
		list = append(list, chatTool{Type: "function",
			Function: chatFunction{Name: t.Name, Description: t.Description, Parameters: parameters}})
	}
	return list
}

func wireCalls(calls []ToolCall) (list []chatCall) {
	for _, c := range calls {
		w := chatCall{ID: c.ID, Type: "function"}
		w.Function.Name, w.Function.Arguments = c.Name, c.Arguments
		list = append(list, w)
	}
	return list
}

// toolCallsIn reads the tool calls of an answer. A call without an id gets one from its position.
func toolCallsIn(calls []chatCall) (list []ToolCall, err error) {
	if len(calls) > maxToolCalls {
		return nil, limitError("%d calls of tools", maxToolCalls)
	}
	size := 0
	for i, c := range calls {
		if size += len(c.Function.Arguments); size > maxArguments {
			return nil, limitError("%d bytes of arguments for tools", maxArguments)
		}
		call := ToolCall{ID: c.ID, Name: c.Function.Name, Arguments: c.Function.Arguments}
		if call.ID == "" {
			call.ID = fmt.Sprintf("call_%d", i+1)
		}
		list = append(list, call)
	}
	return list, nil
}

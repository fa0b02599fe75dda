package llm

import (
	"encoding/json"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// Tool describes a function that a model may call instead of answering.
type Tool struct {
	Name, Description string
	Parameters        json.RawMessage // JSON Schema of an object; nil: no parameters
}

// ToolCall is a function call that a model requests.
type ToolCall struct {
	ID, Name  string
	Arguments string // arguments as JSON text, exactly as the model wrote them
}

// Limits on the tool calls in one answer.
const (
	maxToolCalls = 128
	maxArguments = 1 << 20 // bytes of all arguments of an answer together
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

// toolCallsIn converts the tool calls of an answer. A call without an ID gets one, such as call_1.
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

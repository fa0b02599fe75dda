package llm

import (
	"encoding/json"
	"fmt"

	openai "github.com/sashabaranov/go-openai"
)

// Tool is a function that a model may call in place of an answer.
type Tool struct {
	Name, Description string
	Parameters        json.RawMessage // JSON Schema of an object; nil: there are none
}

// ToolCall is a function that a model calls.
type ToolCall struct {
	ID, Name  string
	Arguments string // JSON, as the model wrote it
}

// Bounds on the calls of one answer.
const (
	maxToolCalls = 128
	maxArguments = 1 << 20 // bytes of all of them
)

func wireTools(tools []Tool) (list []openai.Tool) {
	for _, t := range tools {
		parameters := t.Parameters
		if parameters == nil {
			parameters = json.RawMessage(`{"type":"object","properties":{}}`)
		}
		list = append(list, openai.Tool{Type: openai.ToolTypeFunction,
			Function: &openai.FunctionDefinition{Name: t.Name, Description: t.Description, Parameters: parameters}})
	}
	return list
}

func wireCalls(calls []ToolCall) (list []openai.ToolCall) {
	for _, c := range calls {
		list = append(list, openai.ToolCall{ID: c.ID, Type: openai.ToolTypeFunction,
			Function: openai.FunctionCall{Name: c.Name, Arguments: c.Arguments}})
	}
	return list
}

// calledIn reads the calls of an answer. One without an id gets its place as one.
func calledIn(calls []openai.ToolCall) (list []ToolCall, err error) {
	if len(calls) > maxToolCalls {
		return nil, tooMuch("%d calls of tools", maxToolCalls)
	}
	size := 0
	for i, c := range calls {
		if size += len(c.Function.Arguments); size > maxArguments {
			return nil, tooMuch("%d bytes of arguments for tools", maxArguments)
		}
		call := ToolCall{ID: c.ID, Name: c.Function.Name, Arguments: c.Function.Arguments}
		if call.ID == "" {
			call.ID = fmt.Sprintf("call_%d", i+1)
		}
		list = append(list, call)
	}
	return list, nil
}

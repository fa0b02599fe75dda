package proxy

import (
	"encoding/json"

	"evalctl/mocks/jsontext"
	"evalctl/mocks/model"
)

// choicesOf returns the choices of an answer, also in DashScope's native format.
func choicesOf(top jsontext.Object) []any {
	if out, ok := top.Find("output").(jsontext.Object); ok {
		top = out
	}
	list, _ := top.Find("choices").([]any)
	return list
}

// answerOf returns the content and tool calls of a message.
func answerOf(message jsontext.Object) (a model.Answer) {
	a.Content, _ = message.Find("content").(string)
	calls, _ := message.Find("tool_calls").([]any)
	for _, one := range calls {
		call, _ := one.(jsontext.Object)
		function, _ := call.Find("function").(jsontext.Object)
		arguments, _ := function.Find("arguments").(string)
		a.ToolCalls = append(a.ToolCalls, model.ToolCall{Arguments: arguments})
	}
	return a
}

// leave returns the message with its content and tool calls replaced.
func leave(message jsontext.Object, left model.Answer) jsontext.Object {
	if was, _ := message.Find("content").(string); was != left.Content {
		set(&message, "content", left.Content)
	}
	calls, _ := message.Find("tool_calls").([]any)
	if len(calls) > 0 && len(left.ToolCalls) == 0 {
		set(&message, "content", left.Content)
		return without(message, "tool_calls")
	}
	for i, one := range calls {
		call, _ := one.(jsontext.Object)
		if function, ok := call.Find("function").(jsontext.Object); ok {
			set(&function, "arguments", left.ToolCalls[i].Arguments)
			set(&call, "function", function)
			calls[i] = call
		}
	}
	return message
}

// set sets the value of a key.
func set(o *jsontext.Object, key string, value any) {
	if i := o.Index(key); i >= 0 {
		(*o)[i].Value = value
		return
	}
	*o = append(*o, jsontext.Member{Key: key, Value: value})
}

func without(o jsontext.Object, key string) (left jsontext.Object) {
	for _, m := range o {
		if m.Key != key {
			left = append(left, m)
		}
	}
	return left
}

// found are the keys of result lists in retrieval and search answers.
var found = map[string]bool{"chunks": true, "doc_aggs": true, "results": true, "images": true, "value": true}

// empty removes all results, on every level.
func empty(o jsontext.Object) {
	for i, m := range o {
		switch v := m.Value.(type) {
		case []any:
			if found[m.Key] {
				o[i].Value = []any{}
			}
		case jsontext.Object:
			empty(v)
		}
		if m.Key == "total" {
			o[i].Value = json.Number("0")
		}
	}
}

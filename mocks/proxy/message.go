package proxy

import (
	"encoding/json"

	"evalctl/mocks/jsontext"
	"evalctl/mocks/model"
)

// choicesOf are those of an answer, of DashScope's own ones too.
func choicesOf(top jsontext.Object) []any {
	if out, ok := top.Find("output").(jsontext.Object); ok {
		top = out
	}
	list, _ := top.Find("choices").([]any)
	return list
}

// answerOf is what a message says.
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

// leave is the message with what is left of what it said.
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

// set gives a key a value.
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

// found are the lists of what services of passages and pages have found.
var found = map[string]bool{"chunks": true, "doc_aggs": true, "results": true, "images": true, "value": true}

// empty takes out what was found, on any level.
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

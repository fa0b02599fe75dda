package proxy

import (
	"encoding/json"

	"evalctl/mocks/jsontext"
	"evalctl/mocks/model"
)

// choicesOf returns the choices of a chat answer, in OpenAI's or DashScope's native format.
func choicesOf(top jsontext.Object) []any {
	if out, ok := top.Find("output").(jsontext.Object); ok {
		top = out
	}
	list, _ := top.Find("choices").([]any)
	return list
}

// answerOf returns the content and the tool calls of a message, without the names of the tools.
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

// replaceContent returns the message with the content and the tool calls of answer.
func replaceContent(message jsontext.Object, answer model.Answer) jsontext.Object {
	if content, _ := message.Find("content").(string); content != answer.Content {
		setKey(&message, "content", answer.Content)
	}
	calls, _ := message.Find("tool_calls").([]any)
	if len(calls) > 0 && len(answer.ToolCalls) == 0 {
		setKey(&message, "content", answer.Content)
		return removeKey(message, "tool_calls")
	}
	for i, one := range calls {
		call, _ := one.(jsontext.Object)
		if function, ok := call.Find("function").(jsontext.Object); ok {
			setKey(&function, "arguments", answer.ToolCalls[i].Arguments)
			setKey(&call, "function", function)
			calls[i] = call
		}
	}
	return message
}

// setKey sets the value of a key in a JSON object. A new key is added at the end.
func setKey(o *jsontext.Object, key string, value any) {
	if i := o.Index(key); i >= 0 {
		(*o)[i].Value = value
		return
	}
	*o = append(*o, jsontext.Member{Key: key, Value: value})
}

func removeKey(o jsontext.Object, key string) (rest jsontext.Object) {
	for _, m := range o {
		if m.Key != key {
			rest = append(rest, m)
		}
	}
	return rest
}

// resultKeys are the keys of the result lists in answers of retrieval and search services.
var resultKeys = map[string]bool{"chunks": true, "doc_aggs": true, "results": true, "images": true, "value": true}

// clearResults empties all result lists in an answer of a retrieval or search service, at every
// level.
func clearResults(o jsontext.Object) {
	for i, m := range o {
		switch v := m.Value.(type) {
		case []any:
			if resultKeys[m.Key] {
				o[i].Value = []any{}
			}
		case jsontext.Object:
			clearResults(v)
		}
		if m.Key == "total" {
			o[i].Value = json.Number("0")
		}
	}
}

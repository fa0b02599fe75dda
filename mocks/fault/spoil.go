package fault

import (
	"encoding/json"
	"slices"
	"strings"

	"evalctl/mocks/jsontext"
	"evalctl/mocks/model"
	"evalctl/mocks/random"
)

// Spoil is the answer as the kind leaves it; seed decides where there is more
// than one way.
func (k Kind) Spoil(a model.Answer, stream bool, seed uint64) model.Answer {
	if a.Refusal != nil {
		return a
	}
	switch k {
	case EmptyContent:
		a.Content, a.ToolCalls = "", nil
	case MalformedJSON:
		spoilJSON(&a, brokenJSON)
	case WrongSchema:
		spoilJSON(&a, func(s string) string { return wrongSchema(s, random.Mix(seed, 7)%2 == 0) })
	case LowConfidence:
		spoilJSON(&a, lowConfidence)
	case TruncatedStream:
		if !stream {
			cut(&a)
		}
	}
	return a
}

// cut has an answer end in its midst: in the arguments of its last call where it calls
// tools.
func cut(a *model.Answer) {
	a.FinishReason = "length"
	last := len(a.ToolCalls) - 1
	if last < 0 {
		a.Content = model.FirstHalf(a.Content)
		return
	}
	a.ToolCalls = slices.Clone(a.ToolCalls) // a script's are its own
	a.ToolCalls[last].Arguments = model.FirstHalf(a.ToolCalls[last].Arguments)
}

// spoilJSON spoils what the answer says in JSON: the arguments where it calls
// tools, else the content.
func spoilJSON(a *model.Answer, spoil func(string) string) {
	if len(a.ToolCalls) == 0 {
		a.Content = spoil(a.Content)
		return
	}
	a.ToolCalls = slices.Clone(a.ToolCalls) // a script's are its own
	for i, t := range a.ToolCalls {
		a.ToolCalls[i].Arguments = spoil(t.Arguments)
	}
}

// members reads a JSON object; ok is false for anything else.
func members(s string) (o jsontext.Object, ok bool) {
	v, err := jsontext.Parse([]byte(s))
	o, ok = v.(jsontext.Object)
	return o, ok && err == nil
}

func object(o jsontext.Object) string { return string(jsontext.AppendValue(nil, o)) }

// unbraced takes the objects out of a value: one that is whole could pass for the answer.
var unbraced = strings.NewReplacer("{", "", "}", "")

// brokenJSON tells the first key and its value in prose, so that no repair can
// find an object, and a reader of words still can.
func brokenJSON(s string) string {
	key, value := "result", "unclear"
	if o, ok := members(s); ok && len(o) > 0 {
		key, value = o[0].Key, strings.Trim(string(jsontext.AppendValue(nil, o[0].Value)), `"`)
		if _, text := o[0].Value.(string); !text {
			value = unbraced.Replace(value)
		}
	}
	return "I would call the " + key + " " + value + ", but I am not sure which one fits: {\"maybe\": ["
}

// wrongSchema gives the first text of an object a value that no enum has, or
// drops the first key.
func wrongSchema(s string, drop bool) string {
	o, ok := members(s)
	if !ok || len(o) == 0 {
		return `{"unexpected":true}`
	}
	if drop {
		return object(o[1:])
	}
	for i, m := range o {
		if _, text := m.Value.(string); text {
			o[i].Value = "no_such_value"
			return object(o)
		}
	}
	return object(o[1:])
}

func lowConfidence(s string) string {
	o, ok := members(s)
	if !ok {
		return s
	}
	const key, low = "confidence", json.Number("0.2")
	if i := o.Index(key); i >= 0 {
		o[i].Value = low
		return object(o)
	}
	return object(append(o, jsontext.Member{Key: key, Value: low}))
}

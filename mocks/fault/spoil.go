package fault

import (
	"bytes"
	"encoding/json"
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
		a.Content = brokenJSON(a.Content)
	case WrongSchema:
		a.Content = wrongSchema(a.Content, random.Mix(seed, 7)%2 == 0)
	case LowConfidence:
		a.Content = lowConfidence(a.Content)
	case TruncatedStream:
		if !stream {
			a.Content, a.FinishReason = model.FirstHalf(a.Content), "length"
		}
	}
	return a
}

// member is a key and its value, in the order of the document.
type member struct {
	key   string
	value json.RawMessage
}

// members reads a JSON object; ok is false for anything else.
func members(s string) (list []member, ok bool) {
	d := json.NewDecoder(strings.NewReader(s))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, false
	}
	for d.More() {
		t, err := d.Token()
		key, isKey := t.(string)
		if err != nil || !isKey {
			return nil, false
		}
		m := member{key: key}
		if err := d.Decode(&m.value); err != nil {
			return nil, false
		}
		list = append(list, m)
	}
	return list, true
}

func object(list []member) string {
	b := []byte{'{'}
	for i, m := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(jsontext.AppendString(b, m.key), ':')
		b = append(b, m.value...)
	}
	return string(append(b, '}'))
}

// brokenJSON tells the first key and its value in prose, so that no repair can
// find an object, and a reader of words still can.
func brokenJSON(s string) string {
	key, value := "result", "unclear"
	if list, ok := members(s); ok && len(list) > 0 {
		key, value = list[0].key, strings.Trim(string(list[0].value), `"`)
	}
	return "I would call the " + key + " " + value + ", but I am not sure which one fits: {\"maybe\": ["
}

// wrongSchema gives the first text of an object a value that no enum has, or
// drops the first key.
func wrongSchema(s string, drop bool) string {
	list, ok := members(s)
	if !ok || len(list) == 0 {
		return `{"unexpected":true}`
	}
	if drop {
		return object(list[1:])
	}
	for i, m := range list {
		if bytes.HasPrefix(m.value, []byte{'"'}) {
			list[i].value = json.RawMessage(`"no_such_value"`)
			return object(list)
		}
	}
	return object(list[1:])
}

func lowConfidence(s string) string {
	list, ok := members(s)
	if !ok {
		return s
	}
	for i, m := range list {
		if m.key == "confidence" {
			list[i].value = json.RawMessage("0.2")
			return object(list)
		}
	}
	return object(append(list, member{key: "confidence", value: json.RawMessage("0.2")}))
}

package cassette

import (
	"bytes"
	"encoding/json"
)

// said is an answer without what its provider numbers and dates each anew: what is left
// says whether another answer says the same. It knows JSON, and streams of it.
func said(body []byte) []byte {
	if plain, ok := unnumbered(body); ok {
		return plain
	}
	var all []byte
	for line := range bytes.Lines(body) {
		data, isEvent := bytes.CutPrefix(bytes.TrimRight(line, "\r\n"), []byte("data:"))
		if plain, ok := unnumbered(data); isEvent && ok {
			line = append(append([]byte("data:"), plain...), '\n')
		}
		all = append(all, line...)
	}
	return all
}

// numbers are the fields by which a provider tells its answers, and calls of tools in
// them, apart.
var numbers = []string{"id", "created", "system_fingerprint", "request_id", "responseId", "tool_call_id"}

func unnumbered(text []byte) ([]byte, bool) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil || d.More() {
		return nil, false
	}
	if _, ok := v.(map[string]any); !ok {
		return nil, false
	}
	strip(v)
	plain, err := json.Marshal(v)
	return plain, err == nil
}

func strip(v any) {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range numbers {
			delete(v, name)
		}
		for _, one := range v {
			strip(one)
		}
	case []any:
		for _, one := range v {
			strip(one)
		}
	}
}

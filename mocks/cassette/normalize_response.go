package cassette

import (
	"bytes"
	"encoding/json"
)

// normalizeResponse removes generated ids and times from an answer, so that two recordings of the
// same answer compare equal. It supports JSON and event streams of JSON.
func normalizeResponse(body []byte) []byte {
	if plain, ok := normalizeJSON(body); ok {
		return plain
	}
	var all []byte
	for line := range bytes.Lines(body) {
		data, isEvent := bytes.CutPrefix(bytes.TrimRight(line, "\r\n"), []byte("data:"))
		if plain, ok := normalizeJSON(data); isEvent && ok {
			line = append(append([]byte("data:"), plain...), '\n')
		}
		all = append(all, line...)
	}
	return all
}

// generatedFields are the JSON fields that contain generated ids and times.
var generatedFields = []string{"id", "created", "system_fingerprint", "request_id", "responseId", "tool_call_id"}

func normalizeJSON(text []byte) ([]byte, bool) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil || d.More() {
		return nil, false
	}
	if _, ok := v.(map[string]any); !ok {
		return nil, false
	}
	removeGenerated(v)
	plain, err := json.Marshal(v)
	return plain, err == nil
}

func removeGenerated(v any) {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range generatedFields {
			delete(v, name)
		}
		for _, one := range v {
			removeGenerated(one)
		}
	case []any:
		for _, one := range v {
			removeGenerated(one)
		}
	}
}

package llm

import (
	"bytes"
	"encoding/json"
	"strings"
)

// maxPlain is how much is looked at of what is no plain message.
const maxPlain = 4 << 10

// errorBody reads the code, type and message of an error body in any of the
// providers' forms: {"error":{…}}, {"error":"…"}, flat {"code","message"},
// {"detail":…}, or no JSON at all.
func errorBody(body []byte) (code, typ, message string) {
	var top map[string]json.RawMessage
	if json.Unmarshal(body, &top) != nil {
		return "", "", string(body[:min(len(body), maxPlain)])
	}
	in := top
	for _, wrapper := range []string{"error", "detail"} {
		raw, ok := top[wrapper]
		if !ok || string(raw) == "null" {
			continue
		}
		var inner map[string]json.RawMessage
		if json.Unmarshal(raw, &inner) != nil {
			return plain(top["code"]), "", plain(raw)
		}
		in = inner
		break
	}
	message = plain(in["message"])
	if message == "" {
		message = plain(in["error"])
	}
	return plain(in["code"]), plain(in["type"]), message
}

// plain is a JSON value as text: strings bare, lists of them joined, lists of what is
// wrong with a request in words, null "".
func plain(raw json.RawMessage) string {
	var s string
	if len(raw) == 0 || json.Unmarshal(raw, &s) == nil {
		return s
	}
	raw = raw[:min(len(raw), maxPlain)]
	var list []string
	if json.Unmarshal(raw, &list) == nil {
		return strings.Join(list, ", ")
	}
	var wrongs []wrong
	if json.Unmarshal(raw, &wrongs) == nil && len(wrongs) > 0 && wrongs[0].Message != "" {
		return joined(wrongs)
	}
	return string(raw)
}

// wrong is what servers that check requests with pydantic say of a field.
type wrong struct {
	Place   []json.RawMessage `json:"loc"`
	Message string            `json:"msg"`
}

func joined(wrongs []wrong) string {
	var said []string
	for _, w := range wrongs {
		var place []string
		for _, p := range w.Place {
			place = append(place, plain(p))
		}
		said = append(said, strings.Join(place, ".")+": "+w.Message)
	}
	return strings.Join(said, ", ")
}

// errorInside finds an error that came with status 200, as a frame of a
// stream or a whole body; event is the frame's name.
func errorInside(p Provider, event string, data []byte) *Error {
	hasError := bytes.Contains(data, []byte(`"error"`))
	hasCode := bytes.Contains(data, []byte(`"code"`)) && !bytes.Contains(data, []byte(`"choices"`))
	if event != "error" && !hasError && !hasCode {
		return nil
	}
	var top map[string]json.RawMessage
	if json.Unmarshal(data, &top) != nil && event != "error" {
		return nil
	}
	wrapped := len(top["error"]) > 0 && string(top["error"]) != "null"
	flat := plain(top["code"]) != "" && top["choices"] == nil && top["data"] == nil
	if event != "error" && !wrapped && !flat {
		return nil
	}
	code, typ, message := errorBody(data)
	e := NewResponseError(p, 200, code, typ, message)
	e.instead = true
	return e
}

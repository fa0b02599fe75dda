package llm

import (
	"bytes"
	"encoding/json"
	"strings"
)

// maxPlain limits the text that is taken from an error body of unknown format, in bytes.
const maxPlain = 4 << 10

// errorBody extracts code, type and message from the body of an error response. It accepts the
// formats of several providers: {"error":{…}}, {"error":"…"}, flat {"code","message"},
// {"detail":…}, and plain text.
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
			return jsonText(top["code"]), "", jsonText(raw)
		}
		in = inner
		break
	}
	message = jsonText(in["message"])
	if message == "" {
		message = jsonText(in["error"])
	}
	return jsonText(in["code"]), jsonText(in["type"]), message
}

// jsonText converts a JSON value to readable text: strings without quotes, lists joined with
// commas, validation errors as sentences, null as "".
func jsonText(raw json.RawMessage) string {
	var s string
	if len(raw) == 0 || json.Unmarshal(raw, &s) == nil {
		return s
	}
	raw = raw[:min(len(raw), maxPlain)]
	var list []string
	if json.Unmarshal(raw, &list) == nil {
		return strings.Join(list, ", ")
	}
	var wrongs []validationError
	if json.Unmarshal(raw, &wrongs) == nil && len(wrongs) > 0 && wrongs[0].Message != "" {
		return joinValidationErrors(wrongs)
	}
	return string(raw)
}

// validationError is an invalid request field, in the format of pydantic (used by FastAPI servers).
type validationError struct {
	Location []json.RawMessage `json:"loc"`
	Message  string            `json:"msg"`
}

func joinValidationErrors(wrongs []validationError) string {
	var messages []string
	for _, w := range wrongs {
		var place []string
		for _, p := range w.Location {
			place = append(place, jsonText(p))
		}
		messages = append(messages, strings.Join(place, ".")+": "+w.Message)
	}
	return strings.Join(messages, ", ")
}

// errorInside returns the error that a response with status 200 contains, or nil. data is a stream
// event or a whole body. event is the name of the stream event, if any.
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
	flat := jsonText(top["code"]) != "" && top["choices"] == nil && top["data"] == nil
	if event != "error" && !wrapped && !flat {
		return nil
	}
	code, typ, message := errorBody(data)
	e := NewResponseError(p, 200, code, typ, message)
	e.inAnswer = true
	return e
}

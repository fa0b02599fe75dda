package secret

import (
	"bytes"
	"encoding/json"
	"strings"
)

// RedactJSON replaces the secrets inside the strings of a JSON text by [redacted]. The result
// remains valid JSON: numbers, and member names in lower case, are unchanged.
func (s *Set) RedactJSON(text []byte) []byte {
	if !s.index().mayContainSecret(text) {
		return text
	}
	var out bytes.Buffer
	for len(text) > 0 {
		begin := bytes.IndexByte(text, '"')
		if begin < 0 {
			break
		}
		end := stringEnd(text, begin)
		out.Write(text[:begin])
		literal := text[begin:end]
		text = text[end:]
		if isName(text) && strings.Trim(string(literal), `"abcdefghijklmnopqrstuvwxyz_`) == "" {
			out.Write(literal)
			continue
		}
		out.Write(s.redactString(literal))
	}
	out.Write(text)
	return out.Bytes()
}

// mayContainSecret is a fast check. It returns false only if a text contains no secret. It returns
// true for any text with a backslash.
func (x *index) mayContainSecret(text []byte) bool {
	if x == nil || bytes.IndexByte(text, '\\') >= 0 {
		return x != nil
	}
	begin, _, _ := x.find(string(text), 0, true)
	return begin < len(text)
}

func stringEnd(text []byte, begin int) int {
	for i := begin + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

// isName reports whether the JSON string before rest is a member name: a colon follows.
func isName(rest []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(rest, " \t\r\n"), []byte(":"))
}

func (s *Set) redactString(quoted []byte) []byte {
	if bytes.IndexByte(quoted, '\\') < 0 && !s.index().mayContainSecret(quoted) {
		return quoted
	}
	var plain string
	if json.Unmarshal(quoted, &plain) != nil {
		return []byte(s.Redact(string(quoted)))
	}
	clean := s.Redact(plain)
	if clean == plain {
		return quoted
	}
	again, err := json.Marshal(clean)
	if err != nil {
		return []byte(`"` + redactedMarker + `"`) // cannot happen: a string can always be encoded
	}
	return again
}

// MarshalRedacted wraps a value so that json.Marshal encodes it with its secrets redacted.
func (s *Set) MarshalRedacted(v any) json.Marshaler { return redactedValue{s, v} }

type redactedValue struct {
	set   *Set
	value any
}

// MarshalJSON encodes the wrapped value and redacts the secrets.
func (h redactedValue) MarshalJSON() ([]byte, error) {
	text, err := json.Marshal(h.value)
	return h.set.RedactJSON(text), err
}

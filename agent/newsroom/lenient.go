package newsroom

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"evalctl/agent/llm"
)

// Limits on the fields of a model's answer: items of a list, and bytes of a text.
const (
	maxItems     = 100
	maxTextBytes = 64 << 10 // length in bytes
)

// text is a string that can be decoded from any JSON value. A value without text becomes "".
type text string

// UnmarshalJSON decodes any JSON value. It never fails, so that an invalid secondary field does not
// invalidate an artifact.
func (t *text) UnmarshalJSON(raw []byte) error {
	*t = text(clipBytes(strings.Join(textsIn(raw), "\n")))
	return nil
}

func (t text) isBlank() bool { return strings.TrimSpace(string(t)) == "" }

// texts is a list of strings that can also be decoded from a single string.
type texts []string

// UnmarshalJSON decodes a list or a single value. It never fails and drops values that are not
// text.
func (t *texts) UnmarshalJSON(raw []byte) error {
	*t = nil
	for _, w := range textsIn(raw) {
		if len(*t) < maxItems && strings.TrimSpace(w) != "" {
			*t = append(*t, clipBytes(w))
		}
	}
	return nil
}

// flag is a boolean that can also be decoded from words such as "yes".
type flag bool

// UnmarshalJSON decodes a boolean or such a word. It never fails; an unknown value becomes false.
func (f *flag) UnmarshalJSON(raw []byte) error {
	is, _ := parseBool(raw)
	*f = flag(is)
	return nil
}

// parseBool parses a boolean, or a word such as "yes". ok is false if the value is neither.
func parseBool(raw json.RawMessage) (is, ok bool) {
	switch strings.ToLower(strings.Trim(string(raw), "\" \t\r\n")) {
	case "true", "yes", "1", "是", "通过":
		return true, true
	case "false", "no", "0", "否", "不通过", "未通过":
		return false, true
	}
	return false, false
}

// list drops unusable items while it is decoded. A single item becomes a list of one.
type list[T interface{ usable() bool }] []T

// UnmarshalJSON decodes a list or a single item. It never fails and drops items that are invalid or
// unusable.
func (l *list[T]) UnmarshalJSON(raw []byte) error {
	*l = nil
	var items []json.RawMessage
	if json.Unmarshal(raw, &items) != nil {
		items = []json.RawMessage{raw}
	}
	for _, item := range items {
		var v T
		if json.Unmarshal(item, &v) == nil && v.usable() && len(*l) < maxItems {
			*l = append(*l, v)
		}
	}
	return nil
}

// textsIn returns the strings, numbers and booleans in a JSON value or a list of values, as text.
func textsIn(raw json.RawMessage) []string {
	var one string
	if len(raw) > 0 && raw[0] == '"' && json.Unmarshal(raw, &one) == nil {
		return []string{one}
	}
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return nil
	}
	items, many := v.([]any)
	if !many {
		items = []any{v}
	}
	var result []string
	for _, item := range items {
		switch item := item.(type) {
		case string:
			result = append(result, item)
		case float64, bool:
			result = append(result, fmt.Sprint(item))
		}
	}
	return result
}

// parseUnitInterval parses a number. ok is false if it is not in 0..1.
func parseUnitInterval(raw json.RawMessage) (n float64, ok bool) {
	n, ok = llm.ParseNumber(raw)
	return n, ok && n >= 0 && n <= 1
}

// clipBytes truncates a text to maxTextBytes without splitting a character.
func clipBytes(s string) string {
	if len(s) <= maxTextBytes {
		return s
	}
	end := maxTextBytes
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end]
}

package newsroom

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"evalctl/agent/llm"
)

// Limits for fields of a model's answer.
const (
	maxItems     = 100
	maxTextBytes = 64 << 10 // bytes
)

// text is a string that accepts any JSON value; a value without text is "".
type text string

// UnmarshalJSON never fails: an invalid secondary field must not invalidate the artifact.
func (t *text) UnmarshalJSON(raw []byte) error {
	*t = text(clipBytes(strings.Join(textsIn(raw), "\n")))
	return nil
}

func (t text) isBlank() bool { return strings.TrimSpace(string(t)) == "" }

// texts is a list of strings that also accepts a single one.
type texts []string

// UnmarshalJSON never fails.
func (t *texts) UnmarshalJSON(raw []byte) error {
	*t = nil
	for _, w := range textsIn(raw) {
		if len(*t) < maxItems && strings.TrimSpace(w) != "" {
			*t = append(*t, clipBytes(w))
		}
	}
	return nil
}

// flag is a boolean that also accepts words such as "yes".
type flag bool

// UnmarshalJSON reads an unknown value as false.
func (f *flag) UnmarshalJSON(raw []byte) error {
	is, _ := parseBool(raw)
	*f = flag(is)
	return nil
}

// parseBool parses a boolean; ok is false if the value is not a boolean.
func parseBool(raw json.RawMessage) (is, ok bool) {
	switch strings.ToLower(strings.Trim(string(raw), "\" \t\r\n")) {
	case "true", "yes", "1", "是", "通过":
		return true, true
	case "false", "no", "0", "否", "不通过", "未通过":
		return false, true
	}
	return false, false
}

// list contains usable items only: invalid items are dropped. A single item is a list of one.
type list[T interface{ usable() bool }] []T

// UnmarshalJSON never fails.
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

// textsIn are the strings and numbers of a value or a list of values.
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

// parseUnitInterval parses a number in 0..1.
func parseUnitInterval(raw json.RawMessage) (n float64, ok bool) {
	n, ok = llm.Number(raw)
	return n, ok && n >= 0 && n <= 1
}

// clipBytes limits a text to maxTextBytes bytes without splitting a character.
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

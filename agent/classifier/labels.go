package classifier

import (
	"encoding/json"
	"fmt"
	"strings"

	"evalctl/agent/label"
	"evalctl/agent/llm"
)

// readLabel checks a JSON answer. Its confidence and reason decide nothing, and may be
// missing or of another kind: prompts are anybody's. What is wrong with a
// confidence stands in the reason.
func readLabel(of label.Set, fields map[string]json.RawMessage, field string) (d decision, err error) {
	raw, ok := fields[field]
	if !ok {
		return d, llm.Missing(field)
	}
	if d.label, ok = of.Find(text(raw)); !ok {
		return d, &llm.FieldError{Kind: llm.KindLabel, Field: field, Problem: fmt.Sprintf("unknown %.80s", raw)}
	}
	d.reason = fmt.Sprintf("%.200s", text(fields["reason"])) // characters: a remark, no essay
	if raw := fields["confidence"]; raw != nil && string(raw) != "null" {
		if err := json.Unmarshal(raw, &d.confidence); err != nil || llm.Unit("confidence", *d.confidence) != nil {
			d.confidence, d.reason = nil, fmt.Sprintf("confidence %.40s is not in 0..1; %s", raw, d.reason)
		}
	}
	return d, nil
}

// text is a JSON string's, and of a number or a boolean what is written: labels
// may be called 5 or true.
func text(raw json.RawMessage) string {
	var s string
	if len(raw) > 0 && raw[0] != '"' && raw[0] != '{' && raw[0] != '[' && string(raw) != "null" {
		return string(raw)
	}
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// undecorated frees a label from what models put around it: thoughts, quotes,
// emphasis, a full stop, and the word label.
func undecorated(answer string) string {
	answer = strings.TrimSpace(llm.WithoutThoughts(answer))
	if before, after, ok := strings.Cut(answer, ":"); ok && strings.EqualFold(strings.Trim(before, "* "), "label") {
		answer = after
	}
	answer = strings.TrimRight(strings.TrimSpace(answer), ".。")
	return strings.Trim(answer, "\"'`*“”「」 ")
}

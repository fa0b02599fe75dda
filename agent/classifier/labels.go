package classifier

import (
	"encoding/json"
	"fmt"
	"strings"

	"evalctl/agent/llm"
)

// decisionOf reads label, confidence and reason from a valid JSON answer. The reason is optional
// and is ignored if it is not a string.
func decisionOf(members map[string]json.RawMessage, field string) (d decision, err error) {
	if err := json.Unmarshal(members[field], &d.label); err != nil {
		return d, err
	}
	if raw := members["confidence"]; raw != nil {
		if err := json.Unmarshal(raw, &d.confidence); err != nil {
			return d, err
		}
	}
	var reason string
	if json.Unmarshal(members["reason"], &reason) == nil {
		d.reason = fmt.Sprintf("%.200s", reason)
	}
	return d, nil
}

// stripDecoration removes what models add around a label: reasoning, quotes, a full stop, the word
// "label".
func stripDecoration(answer string) string {
	answer = strings.TrimSpace(llm.StripReasoning(answer))
	if before, after, ok := strings.Cut(answer, ":"); ok && strings.EqualFold(strings.Trim(before, "* "), "label") {
		answer = after
	}
	answer = strings.TrimRight(strings.TrimSpace(answer), ".。")
	return strings.Trim(answer, "\"'`*“”「」 ")
}

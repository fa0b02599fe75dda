package studio

import (
	"encoding/json"
	"fmt"
	"strings"
)

// lenientTexts is an optional text field of an answer: a string or a list of strings. Any other
// value is ignored and does not invalidate the answer.
type lenientTexts []string

var _ json.Unmarshaler = (*lenientTexts)(nil)

// UnmarshalJSON never fails.
func (p *lenientTexts) UnmarshalJSON(raw []byte) error {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return nil
	}
	list, ok := v.([]any)
	if !ok {
		list = append(list, v)
	}
	*p = nil
	for _, v := range list {
		if s, ok := v.(string); ok && !isBlank(s) {
			*p = append(*p, s)
		}
	}
	return nil
}

// String joins all texts.
func (p lenientTexts) String() string { return strings.Join(p, "、") }

// limited is String, limited to 200 characters.
func (p lenientTexts) limited() string { return fmt.Sprintf("%.200s", p.String()) }

package studio

import (
	"encoding/json"
	"fmt"
	"strings"
)

// lenientTexts is an optional text field of a model's answer: a string or a list of strings. Values
// of other types are ignored, so that they do not make the answer invalid.
type lenientTexts []string

var _ json.Unmarshaler = (*lenientTexts)(nil)

// UnmarshalJSON accepts any JSON value.
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

// String returns all texts, joined by 、.
func (p lenientTexts) String() string { return strings.Join(p, "、") }

// limited returns the first 200 characters of String.
func (p lenientTexts) limited() string { return fmt.Sprintf("%.200s", p.String()) }

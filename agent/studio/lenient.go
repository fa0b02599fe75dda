package studio

import (
	"encoding/json"
	"fmt"
	"strings"
)

// phrases reads a field that an answer can be used without: a text or a list of
// texts. Whatever else a model puts there is no text, and spoils nothing.
type phrases []string

var _ json.Unmarshaler = (*phrases)(nil)

// UnmarshalJSON never fails.
func (p *phrases) UnmarshalJSON(raw []byte) error {
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
		if s, ok := v.(string); ok && !blank(s) {
			*p = append(*p, s)
		}
	}
	return nil
}

// String is all of them as one text.
func (p phrases) String() string { return strings.Join(p, "、") }

// remark is no essay: at most 200 characters.
func (p phrases) remark() string { return fmt.Sprintf("%.200s", p.String()) }

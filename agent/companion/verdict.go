package companion

import (
	"encoding/json"
	"strconv"
	"strings"

	"evalctl/agent/llm"
)

// verdict is what the deciding model is asked for.
type verdict struct {
	Intent     string          `json:"intent"`
	Confidence confidence      `json:"confidence"`
	Params     json.RawMessage `json:"query_params,omitempty"` // read leniently: see params
	Reason     any             `json:"reason,omitempty"`       // a remark: one that is no text spoils no decision
}

func (v *verdict) check() error {
	if err := llm.OneOf("intent", v.Intent, knowledgeQuery, normalChat); err != nil {
		return err
	}
	return llm.Unit("confidence", float64(v.Confidence))
}

// confidence is a number, which may stand in quotes.
type confidence float64

// UnmarshalJSON reads it.
func (c *confidence) UnmarshalJSON(raw []byte) error {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		if n, err := strconv.ParseFloat(strings.TrimSpace(text), 64); err == nil {
			*c = confidence(n)
			return nil
		}
	}
	return json.Unmarshal(raw, (*float64)(c))
}

// judged is a valid verdict and the answer that it stood in.
type judged struct {
	verdict
	raw string
}

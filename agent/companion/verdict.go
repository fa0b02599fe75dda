package companion

import (
	"encoding/json"

	"evalctl/agent/llm"
)

// verdict is what the deciding model is asked for.
type verdict struct {
	Intent     string          `json:"intent"`
	Confidence float64         `json:"confidence"`
	Params     json.RawMessage `json:"query_params,omitempty"` // read leniently: see params
	Reason     any             `json:"reason,omitempty"`       // a remark: one that is no text spoils no decision
}

func (v *verdict) check() error {
	if err := llm.OneOf("intent", v.Intent, KnowledgeQuery, NormalChat); err != nil {
		return err
	}
	return llm.Unit("confidence", v.Confidence)
}

// judged is a valid verdict and the answer that it stood in.
type judged struct {
	verdict
	raw string
}

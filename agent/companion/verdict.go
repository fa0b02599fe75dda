package companion

import (
	"encoding/json"

	"evalctl/agent/label"
	"evalctl/agent/llm"
)

// verdict is what the deciding model is asked for.
type verdict struct {
	Intent      string          `json:"intent"`
	Confidence  *float64        `json:"confidence,omitempty"`   // nil: not stated
	QueryParams json.RawMessage `json:"query_params,omitempty"` // read leniently: see params
	Reason      any             `json:"reason,omitempty"`       // a remark, which does not make a decision invalid
}

var intents = label.NewSet(knowledgeQuery, normalChat)

// intentForm is the form of the deciding model's answer.
func intentForm(threshold float64) llm.Form {
	return llm.Form{Key: "intent", Labels: intents, Confidence: llm.ConfidenceFor(threshold)}
}

// judged is a valid verdict and the answer that it stood in.
type judged struct {
	verdict
	raw      string
	notExact string // why the answer is not in the exact form; "": it is
}

package companion

import (
	"encoding/json"

	"evalctl/agent/label"
	"evalctl/agent/llm"
)

// verdict is the answer of the deciding model.
type verdict struct {
	Intent      string          `json:"intent"`
	Confidence  *float64        `json:"confidence,omitempty"`   // nil: not given
	QueryParams json.RawMessage `json:"query_params,omitempty"` // parsed leniently, see params
	// optional; ignored if invalid
	Reason any `json:"reason,omitempty"`
}

var intents = label.NewSet(knowledgeQuery, normalChat)

// intentForm is the format of the deciding model's answer.
func intentForm(threshold float64) llm.Form {
	return llm.Form{Key: "intent", Labels: intents, Confidence: llm.ConfidenceFor(threshold)}
}

// routerAnswer is a valid verdict with its answer.
type routerAnswer struct {
	verdict
	raw      string
	notExact string // why the format is not exact; "": it is
}

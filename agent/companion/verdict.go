package companion

import (
	"encoding/json"

	"evalctl/agent/label"
	"evalctl/agent/llm"
)

// verdict is the JSON answer of the deciding model.
type verdict struct {
	Intent     string   `json:"intent"`
	Confidence *float64 `json:"confidence,omitempty"` // nil: not given
	// parsed separately by modelQuery, so that an error does not invalidate the decision
	QueryParams json.RawMessage `json:"query_params,omitempty"`
	// optional text; ignored if it has another type
	Reason any `json:"reason,omitempty"`
}

var intents = label.NewSet(knowledgeQuery, normalChat)

// intentForm describes the answer format that is requested from the deciding model.
func intentForm(threshold float64) llm.AnswerSpec {
	return llm.AnswerSpec{Key: "intent", Labels: intents, Confidence: llm.ConfidenceRuleFor(threshold)}
}

// routerAnswer is a valid answer of the deciding model, with its raw text.
type routerAnswer struct {
	verdict
	raw      string
	notExact string // how the answer deviates from the format; "": it does not
}

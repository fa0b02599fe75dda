package studio

import "evalctl/agent"

// maskConfidence is the confidence of a plan whose action follows from the inputs, such as a mask.
const maskConfidence = 0.9

// minConfidence is the confidence that a plan must exceed to be executed.
const minConfidence = 0.5

// intent is the plan for a turn: what the user requests.
type intent struct {
	Action     string            // action under its V2 name
	Slots      map[string]string // subject and style from the model; nil: no valid answer
	Prompt     string            // image prompt in English; only V1
	Parameters map[string]any    // image parameters; only V1
	Confidence float64           // confidence of the model; in V1 0 if it returns none
	Reasoning  string            // reason that the model states; may be empty
	DecidedBy  string            // who decided: llm, rules or guard

	ModelDecision *agent.ModelDecision // decision of the model before any rule replaces it; nil: no valid answer
	RawResponse   string               // raw answer of the model; "": no model was called
}

func (in *intent) isExecutable() bool {
	return in != nil && in.Action != ActionUnknown && in.Confidence > minConfidence
}

// override replaces the action of the model by the one that the inputs require. It returns the
// reason for the trace: "input_rules", or why if the model already chose this action.
func (in *intent) override(action, why string) string {
	if in.Action == action {
		return why
	}
	in.Action = action
	in.Confidence = maskConfidence
	in.DecidedBy = "guard"
	if in.ModelDecision != nil {
		in.ModelDecision.DecisionIfAccepted = action
	}
	return "input_rules"
}

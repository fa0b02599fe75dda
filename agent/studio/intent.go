package studio

import "evalctl/agent"

// maskConfidence is the confidence of a plan that the input rules determine.
const maskConfidence = 0.9

// minConfidence is the confidence that a plan must exceed.
const minConfidence = 0.5

// intent is the plan for a turn.
type intent struct {
	Action     string            // v2's name
	Slots      map[string]string // subject and style from the planner; nil: no valid answer
	Prompt     string            // v1: English
	Parameters map[string]any    // v1
	Confidence float64           // 0 also if v1's model gives none
	Reasoning  string            // from the model, if given
	Source     string            // llm, rules or guard

	ModelDecision *agent.ModelDecision // the model's own decision; nil: no model was called, or its answer was invalid
	RawResponse   string               // the model's answer, unparsed; "": no model was called
}

// isExecutable reports whether the plan can be executed.
func (in *intent) isExecutable() bool {
	return in != nil && in.Action != Unknown && in.Confidence > minConfidence
}

// override overrides the model's action with the one that the inputs require, and returns the
// reason.
func (in *intent) override(action, why string) string {
	if in.Action == action {
		return why
	}
	in.Action = action
	in.Confidence = maskConfidence
	in.Source = "guard"
	if in.ModelDecision != nil {
		in.ModelDecision.DecisionIfAccepted = action
	}
	return "input_rules"
}

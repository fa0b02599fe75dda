package studio

import "evalctl/agent"

// byMask is the confidence in a plan that the inputs force on the model.
const byMask = 0.9

// sure is the confidence that a plan must exceed.
const sure = 0.5

// intent is what the user wants.
type intent struct {
	Action     string            // in v2's names
	Slots      map[string]string // subject and style as the planner gave them; nil: it gave no valid answer
	Prompt     string            // v1: English
	Parameters map[string]any    // v1
	Confidence float64           // 0 also where v1's model does not say
	Reasoning  string            // the model's, where it gives one
	Source     string            // llm, rules or gate

	Opinion     *agent.ModelDecision // the model's own decision; nil: none was asked, or its answer was none
	RawResponse string               // the model's answer as it stood there; "": none was asked
}

// goesOn tells a plan that can be carried out.
func (in *intent) goesOn() bool {
	return in != nil && in.Action != Unknown && in.Confidence > sure
}

// force has the inputs decide where the model says otherwise.
func (in *intent) force(action, why string) string {
	if in.Action == action {
		return why
	}
	in.Action, in.Confidence, in.Source = action, byMask, "guard"
	if in.Opinion != nil {
		in.Opinion.IfAccepted = action
	}
	return "input_rules"
}

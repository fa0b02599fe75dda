package toolcaller

import (
	"slices"

	"evalctl/agent"
	"evalctl/agent/label"
	"evalctl/agent/llm"
)

// offer is what the model may call in a turn.
type offer struct {
	declared    []llm.Tool        // tools in the format of a request
	labels      map[string]string // labels by the name of their tool
	noToolLabel string            // label of an answer that calls no tool; "": there is none
	invalid     string            // label for invalid answers
}

func newOffer(tools []Tool, noToolLabel string) offer {
	o := offer{labels: map[string]string{}, noToolLabel: noToolLabel}
	known := []string{noToolLabel}
	for _, t := range tools {
		o.declared = append(o.declared, t.wire())
		o.labels[ToolName(t.Label)] = t.Label
		known = append(known, t.Label)
	}
	o.invalid = label.InvalidAnswerLabel(known...)
	return o
}

// offerOf returns what the model may call in a turn: the turn's own tools, or else those of the
// configuration. A model that must call a tool is also offered one for the no-tool label.
func (a *Agent) offerOf(t agent.Turn) offer {
	if t.Tools == nil {
		return a.offer
	}
	tools := fromTurn(t.Tools)
	if none := a.cfg.NoToolLabel; none != "" && a.cfg.ToolChoice == choiceRequired &&
		!slices.Contains(agent.ToolNames(t.Tools), none) {
		tools = append(tools, Tool{Label: none})
	}
	return newOffer(tools, a.cfg.NoToolLabel)
}

// has reports whether an answer can mean the label.
func (o offer) has(label string) bool {
	_, offered := o.labels[ToolName(label)]
	return offered || label == o.noToolLabel
}

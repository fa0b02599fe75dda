package newsroom

import (
	"encoding/json"
	"strings"

	"evalctl/agent/label"
	"evalctl/agent/llm"
)

// decision is the supervisor's answer: the next agent, and instructions for it.
type decision struct {
	NextAgent           string `json:"next_agent"`
	Guidance            text   `json:"guidance,omitempty"`
	ContextFromPrevious text   `json:"context_from_previous,omitempty"`
	FocusAreas          texts  `json:"focus_areas,omitempty"`
}

// decisionForm is the format of the supervisor's answer. It accepts unknown agent names, which
// routeFromSupervisor handles.
var decisionForm = llm.AnswerSpec{
	Key:                "next_agent",
	Labels:             label.NewSet(DecisionLabels()...),
	AllowUnknownLabels: true,
	Confidence:         llm.OptionalConfidence,
}

// shorten truncates the agent name to 100 characters.
func (d *decision) shorten() error {
	d.NextAgent = clipRunes(d.NextAgent, 100)
	return nil
}

// String returns the decision as JSON, as it is stored in the history.
func (d decision) String() string {
	raw, err := json.Marshal(d)
	if err != nil {
		return "" // cannot happen: strings can always be encoded
	}
	return string(raw)
}

// readDecision parses the output of String. Invalid text results in an empty decision.
func readDecision(raw string) (d decision) {
	_ = json.Unmarshal([]byte(raw), &d)
	return d
}

// instructions returns the text for the next agent's prompt that the decision contains.
func (d decision) instructions() string {
	var b strings.Builder
	for _, part := range []struct{ name, text string }{
		{"主编的要求", string(d.Guidance)}, {"前面的进展", string(d.ContextFromPrevious)},
		{"重点", strings.Join(d.FocusAreas, "、")},
	} {
		if strings.TrimSpace(part.text) != "" {
			b.WriteString(part.name + "：" + part.text + "\n")
		}
	}
	return b.String()
}

// clipRunes returns the first most characters of a text.
func clipRunes(s string, most int) string {
	n := 0
	for i := range s {
		if n++; n > most {
			return s[:i]
		}
	}
	return s
}

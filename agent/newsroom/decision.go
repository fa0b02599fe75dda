package newsroom

import (
	"encoding/json"
	"strings"

	"evalctl/agent/label"
	"evalctl/agent/llm"
)

// decision is the supervisor's answer: who is next, and what that agent is told.
type decision struct {
	NextAgent           string `json:"next_agent"`
	Guidance            text   `json:"guidance,omitempty"`
	ContextFromPrevious text   `json:"context_from_previous,omitempty"`
	FocusAreas          texts  `json:"focus_areas,omitempty"`
}

// decisionForm is the form of the supervisor's answer. A name that no agent has is
// kept: it is part of the episode.
var decisionForm = llm.Form{Key: "next_agent", Labels: label.NewSet(Decisions()...), Open: true, Confidence: llm.OptionalConfidence}

// shorten bounds the name.
func (d *decision) shorten() error {
	d.NextAgent = shortened(d.NextAgent, 100)
	return nil
}

// String is the decision as the history keeps it.
func (d decision) String() string {
	raw, err := json.Marshal(d)
	if err != nil {
		return "" // strings always can be
	}
	return string(raw)
}

// readDecision reads what String has written; anything else is no decision.
func readDecision(kept string) (d decision) {
	_ = json.Unmarshal([]byte(kept), &d)
	return d
}

// instructions are what the decision says to the agent that is sent.
func (d decision) instructions() string {
	var b strings.Builder
	for _, part := range []struct{ name, text string }{
		{"主编的要求", string(d.Guidance)}, {"前面的进展", string(d.ContextFromPrevious)}, {"重点", strings.Join(d.FocusAreas, "、")},
	} {
		if strings.TrimSpace(part.text) != "" {
			b.WriteString(part.name + "：" + part.text + "\n")
		}
	}
	return b.String()
}

// shortened is the beginning of a text, so many characters of it.
func shortened(s string, most int) string {
	n := 0
	for i := range s {
		if n++; n > most {
			return s[:i]
		}
	}
	return s
}

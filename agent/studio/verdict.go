package studio

import (
	"slices"
	"strings"

	"evalctl/agent/llm"
)

// verdict is what a critic answers. A model's own "passed" does not matter:
// its score decides.
type verdict struct {
	Score       float64  `json:"score"`
	Feedback    string   `json:"feedback,omitempty"`
	Suggestions []string `json:"suggestions,omitempty"`
}

// check also makes the words fit to be shown: a message puts the score behind
// the feedback, and blank suggestions would be buttons without a label.
func (v *verdict) check() error {
	if v.Feedback = strings.TrimRight(strings.TrimSpace(v.Feedback), "。."); blank(v.Feedback) {
		v.Feedback = ""
	}
	v.Suggestions = slices.DeleteFunc(v.Suggestions, blank)
	return llm.Unit("score", v.Score)
}

// quality is what the profile makes of the verdict.
type quality struct {
	Passed      bool
	Score       float64
	Feedback    string // "": v1's heuristic critic has none
	Suggestions []string
	By          string // who judged; trace.Nobody: the critic failed, which passes
}

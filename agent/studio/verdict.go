package studio

import (
	"strings"

	"evalctl/agent/llm"
)

// verdict is what a critic answers. Its score is the verdict: a model's own
// "passed" does not matter, and its words are whatever can be read of them.
type verdict struct {
	Score       number  `json:"score"`
	Feedback    phrases `json:"feedback,omitempty"`
	Suggestions phrases `json:"suggestions,omitempty"`
}

// check is what is demanded of a verdict.
func (v *verdict) check() error { return llm.Unit("score", float64(v.Score)) }

// quality has feedback that is fit to be shown: a message puts the score behind
// it.
func (v verdict) quality(passed bool) quality {
	feedback := strings.TrimRight(strings.TrimSpace(v.Feedback.String()), "。.")
	if blank(feedback) {
		feedback = ""
	}
	return quality{Passed: passed, Score: float64(v.Score), Feedback: feedback, Suggestions: v.Suggestions}
}

// quality is what the profile makes of the verdict.
type quality struct {
	Passed      bool
	Score       float64
	Feedback    string // "": v1's heuristic critic has none
	Suggestions []string
	By          string // who judged; trace.Nobody: the critic failed, which passes
}

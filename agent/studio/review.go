package studio

import (
	"context"
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

// consult has the model judge. Each loop of a turn asks anew.
func (a *Agent) consult(ctx context.Context, s *state) (verdict, error) {
	system, err := a.Prompts.Review.Fill(reviewing{
		Action: s.Intent.Action, Subject: s.Intent.Slots["subject"], Style: s.Intent.Slots["style"], Prompt: s.Prompt.Final,
	})
	if err != nil {
		return verdict{}, err
	}
	words := llm.User(s.Input.words())
	if a.Critic == Vision {
		words.Images = []string{s.Result.URL}
	}
	r := llm.Request{Messages: []llm.Message{llm.System(system), words}}
	v, _, err := remembered(ctx, a.reviews, critic, a.Reviewer, r, s.RetryCount+1, "score", (*verdict).check)
	return v, err
}

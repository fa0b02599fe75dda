package studio

import (
	"fmt"
	"slices"
	"strings"

	"evalctl/agent/llm"
)

// verdict is the answer of a critic. Only its score decides whether an image passes; the model's
// field "passed" is ignored. A text field of a wrong type does not make the answer invalid.
type verdict struct {
	Score       float64      `json:"score"`
	Feedback    lenientTexts `json:"feedback,omitempty"`
	Suggestions lenientTexts `json:"suggestions,omitempty"`

	raw        string // raw answer of the model
	isRejected bool   // the answer has no valid score but rejects the image
}

func (v *verdict) check() error { return llm.CheckUnitInterval("score", v.Score) }

// isRejection reports whether the field "passed" of an answer without a score rejects the image.
func isRejection(raw string) bool {
	type answer struct {
		Passed any `json:"passed"`
	}
	v, err := llm.DecodeAnswer[answer](raw, llm.AnswerSpec{Key: "passed"})
	return err == nil && slices.Contains([]string{"false", "no", "否", "不通过", "未通过"},
		strings.ToLower(fmt.Sprint(v.Passed)))
}

const maxSuggestions = 5

// quality returns the verdict with texts prepared for display: each suggestion becomes a button.
func (v verdict) quality(passed bool) quality {
	q := quality{Passed: passed, Score: v.Score,
		Feedback: strings.TrimRight(strings.TrimSpace(v.Feedback.limited()), "。.")}
	if isBlank(q.Feedback) {
		q.Feedback = ""
	}
	for _, s := range v.Suggestions[:min(len(v.Suggestions), maxSuggestions)] {
		q.Suggestions = append(q.Suggestions, lenientTexts{s}.limited())
	}
	return q
}

// quality is a critic's verdict on a generated image, by the criteria of a quality profile.
type quality struct {
	Passed               bool
	Score                float64
	Feedback             string // "": none; V1's heuristic critic never gives any
	Suggestions          []string
	RejectedWithoutScore bool   // the critic rejected the image without giving a score; Passed is true in this case
	Reviewer             string // kind of critic; trace.NoReviewer: the critic failed, so the image passes
}

// unscoredMessage returns the final message of a turn whose critic gave no score.
func (s *state) unscoredMessage() string {
	if s.Quality.RejectedWithoutScore {
		return s.say("图片已生成，但审查没有认可它，可以重新生成试试。",
			"The image is ready, but the review did not approve it. You can generate it again.")
	}
	return s.say("图片已生成。", "The image is ready.")
}

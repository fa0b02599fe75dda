package studio

import (
	"fmt"
	"slices"
	"strings"

	"evalctl/agent/llm"
)

// verdict is a critic's answer. Only its score counts: a model's own "passed" is ignored, and the
// texts are parsed leniently.
type verdict struct {
	Score       float64      `json:"score"`
	Feedback    lenientTexts `json:"feedback,omitempty"`
	Suggestions lenientTexts `json:"suggestions,omitempty"`

	raw        string // the model's answer, unparsed
	isRejected bool   // no score, but the answer rejects the image
}

// check checks the required score.
func (v *verdict) check() error { return llm.CheckUnitInterval("score", v.Score) }

// isRejection reports whether an answer without a score rejects the image.
func isRejection(raw string) bool {
	type answer struct {
		Passed any `json:"passed"`
	}
	v, err := llm.Decode[answer](raw, llm.Form{Key: "passed"})
	return err == nil && slices.Contains([]string{"false", "no", "否", "不通过", "未通过"},
		strings.ToLower(fmt.Sprint(v.Passed)))
}

// maxSuggestions is the maximum number of suggestion buttons.
const maxSuggestions = 5

// quality prepares the texts for display: the score follows the feedback, and each suggestion is a
// button.
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

// quality is the result of a review in a profile.
type quality struct {
	Passed      bool
	Score       float64
	Feedback    string // "": v1's heuristic critic has none
	Suggestions []string
	IsRejected  bool   // passed only because the critic gave no score
	Reviewer    string // the critic; trace.NoReviewer: the critic failed, which counts as passed
}

// unscoredMessage is the message for an image without a score.
func (q quality) unscoredMessage() string {
	if q.IsRejected {
		return "图片已生成，但审查没有认可它，可以重新生成试试。"
	}
	return "图片已生成。"
}

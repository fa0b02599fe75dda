package studio

import (
	"fmt"
	"slices"
	"strings"

	"evalctl/agent/llm"
)

// verdict is what a critic answers. Its score is the verdict: a model's own
// "passed" does not matter, and its words are whatever can be read of them.
type verdict struct {
	Score       float64 `json:"score"`
	Feedback    phrases `json:"feedback,omitempty"`
	Suggestions phrases `json:"suggestions,omitempty"`

	raw    string // the model's answer as it stood there
	denied bool   // it has no score, but says that the picture did not pass
}

// check is what is demanded of a verdict.
func (v *verdict) check() error { return llm.CheckUnitInterval("score", v.Score) }

// denies tells an answer without a score that says no.
func denies(raw string) bool {
	type answer struct {
		Passed any `json:"passed"`
	}
	v, err := llm.Decode[answer](raw, llm.Form{Key: "passed"})
	return err == nil && slices.Contains([]string{"false", "no", "否", "不通过", "未通过"}, strings.ToLower(fmt.Sprint(v.Passed)))
}

// maxSuggestions is how many of them become buttons.
const maxSuggestions = 5

// quality has words that are fit to be shown: a message puts the score behind
// the feedback, and each suggestion is a button.
func (v verdict) quality(passed bool) quality {
	q := quality{Passed: passed, Score: v.Score, Feedback: strings.TrimRight(strings.TrimSpace(v.Feedback.remark()), "。.")}
	if blank(q.Feedback) {
		q.Feedback = ""
	}
	for _, s := range v.Suggestions[:min(len(v.Suggestions), maxSuggestions)] {
		q.Suggestions = append(q.Suggestions, phrases{s}.remark())
	}
	return q
}

// quality is what the profile makes of the verdict.
type quality struct {
	Passed      bool
	Score       float64
	Feedback    string // "": v1's heuristic critic has none
	Suggestions []string
	Denied      bool   // it passed only because the critic gave no score
	By          string // who judged; trace.NoReviewer: the critic failed, which passes
}

// unscored is what the user is told of a picture without a score.
func (q quality) unscored() string {
	if q.Denied {
		return "图片已生成，但审查没有认可它，可以重新生成试试。"
	}
	return "图片已生成。"
}

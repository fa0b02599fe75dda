package newsroom

import (
	"fmt"
	"slices"
	"strings"
)

// Beginnings of the lines in a status, which status writes and readStatus parses.
const (
	requestLine  = "用户的要求："
	answerLine   = "用户的回答："
	statusLine   = "【当前状态】"
	reviewLine   = "review"
	scoresLine   = "scores"
	backLine     = "backtrack"
	mayEndLine   = "may_end"
	iterateLine  = "iteration"
	ranLine      = "ran"
	notTakenLine = "not_taken"
)

// shownFields lists the artifacts whose progress the status contains.
var shownFields = []string{"creativeBrief", "evidencePack", "bodyBlocks", "referenceAnalyses",
	"layoutSpec", "imagePlans",
	"generatedContent", "generatedImageAssetIds"}

// status returns the part of the supervisor's prompt that describes the work: the request (wish),
// the progress, and the outcome of recent decisions.
func (r rules) status(s *state, wish string) string {
	var b strings.Builder
	line := func(name, format string, a ...any) { fmt.Fprintf(&b, "- %s: %s\n", name, fmt.Sprintf(format, a...)) }
	b.WriteString(wish)
	if n := len(s.ReferenceImages); n > 0 {
		fmt.Fprintf(&b, "（附有 %d 张参考图）\n", n)
	}
	if !s.LayoutPreference.isBlank() {
		fmt.Fprintf(&b, "（版式偏好：%s）\n", s.LayoutPreference)
	}
	fmt.Fprintf(&b, "\n%s\n", statusLine)
	for _, name := range shownFields {
		line(name, "%s", s.progress(name))
	}
	line(reviewLine, "%s", s.reviewStatus())
	if len(s.QualityScores) > 0 {
		line(scoresLine, "%s（及格线 %.2f）", s.QualityScores, r.threshold)
	}
	if low, ok := s.QualityScores.lowest(r.threshold); ok {
		line(backLine, "%s（%s 最低，建议回到这里）", low.agent, low.name)
	}
	line(mayEndLine, "%s", r.endStatus(s))
	line(iterateLine, "%d/%d", r.iteration(s.IterationCount+1, s), r.limit(s))
	b.WriteString(s.formatSteps())
	return b.String()
}

func (s *state) progress(name string) string {
	switch {
	case !s.has(name):
		return "missing"
	case name == "generatedImageAssetIds" && !imagesComplete(s.ImagePlans, s.GeneratedImageAssetIDs):
		return fmt.Sprintf("partial %d/%d", countPlansWithImage(s.ImagePlans, s.GeneratedImageAssetIDs),
			len(s.ImagePlans))
	}
	return outcomeDone
}

func (s *state) reviewStatus() string {
	switch {
	case s.ReviewFeedback == nil:
		return "missing"
	case s.ReviewFeedback.Approved:
		return "approved"
	}
	return strings.TrimRight("rejected："+clipRunes(strings.Join(s.ReviewFeedback.Comments, "；"), 200), "：")
}

func (r rules) endStatus(s *state) string {
	if _, ok := r.mayEnd(s); ok {
		return "yes"
	}
	switch {
	case !s.hasBody():
		return "no（还没有正文）"
	case s.ReviewFeedback != nil && s.ReviewFeedback.Approved:
		return "no（有质量分数缺失或不及格）"
	}
	return "no（审核还没有通过）"
}

// maxShownSteps is the number of recent steps that the status lists.
const maxShownSteps = 6

// formatSteps lists the agents that ran since the user's last message, with their outcomes. It also
// names the correction of the last decision, if there was one.
func (s *state) formatSteps() string {
	var b strings.Builder
	log := s.log()
	var ran []string
	for _, m := range log {
		if m.Name != supervisorNode && m.Name != routeNode {
			ran = append(ran, fmt.Sprintf("%s(%s)", m.Name, outcome(m.Content)))
		}
	}
	fmt.Fprintf(&b, "- %s: %s\n", ranLine, strings.Join(ran, " "))
	if n := len(log); n > 0 && log[n-1].Name == routeNode {
		fmt.Fprintf(&b, "- %s: %s\n", notTakenLine, log[n-1].Content)
	}
	if len(log) == 0 {
		return b.String()
	}
	b.WriteString("\n最近的步骤：\n")
	for _, m := range log[max(0, len(log)-maxShownSteps):] {
		if m.Name == supervisorNode {
			m.Content = readDecision(m.Content).NextAgent
		}
		fmt.Fprintf(&b, "%s: %s\n", m.Name, clipRunes(strings.ReplaceAll(m.Content, "\n", " "), 120))
	}
	return b.String()
}

// outcome returns the outcome of an agent in one word: done or failed.
func outcome(note string) string {
	if strings.HasPrefix(note, outcomeDone) {
		return outcomeDone
	}
	return "failed"
}

// snapshot is a parsed status. Simulated supervisors base their decisions on it.
type snapshot struct {
	missing []string // artifacts that are missing or incomplete
	review  string
	back    string
	mayEnd  bool
	ran     []string
	failed  []string // agents in ran that failed
}

// readStatus parses the last status in a prompt. ok is false if there is none.
func readStatus(text string) (v snapshot, ok bool) {
	at := strings.LastIndex(text, statusLine)
	if at < 0 {
		return v, false
	}
	for line := range strings.Lines(text[at:]) {
		name, value, found := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "- "), ":")
		if !found || !strings.HasPrefix(line, "- ") {
			continue
		}
		v.read(name, strings.TrimSpace(value))
	}
	return v, true
}

func (v *snapshot) read(name, value string) {
	word := strings.FieldsFunc(value+" ", func(r rune) bool { return r == ' ' || r == '（' || r == '：' })
	first := ""
	if len(word) > 0 {
		first = word[0]
	}
	switch {
	case slices.Contains(shownFields, name) && first != outcomeDone:
		v.missing = append(v.missing, name)
	case name == reviewLine:
		v.review = first
	case name == backLine:
		v.back = first
	case name == mayEndLine:
		v.mayEnd = first == "yes"
	case name == ranLine:
		for _, one := range strings.Fields(value) {
			agent, how, _ := strings.Cut(one, "(")
			if v.ran = append(v.ran, agent); how != outcomeDone+")" {
				v.failed = append(v.failed, agent)
			}
		}
	}
}

func (v snapshot) isMissing(field string) bool { return slices.Contains(v.missing, field) }

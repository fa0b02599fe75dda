package newsroom

import (
	"fmt"
	"slices"
	"strings"
)

// The lines of a status, as status writes and readStatus reads them.
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

// shownFields are the artefacts of which the supervisor is told whether they are
// there.
var shownFields = []string{"creativeBrief", "evidencePack", "bodyBlocks", "referenceAnalyses", "layoutSpec", "imagePlans",
	"generatedContent", "generatedImageAssetIds"}

// status is what the supervisor is shown: how far the work is, and what became of
// its last decisions.
func (r rules) status(s *state, wish string) string {
	var b strings.Builder
	line := func(name, format string, a ...any) { fmt.Fprintf(&b, "- %s: %s\n", name, fmt.Sprintf(format, a...)) }
	b.WriteString(wish)
	if n := len(s.ReferenceImages); n > 0 {
		fmt.Fprintf(&b, "（附有 %d 张参考图）\n", n)
	}
	if !s.LayoutPreference.blank() {
		fmt.Fprintf(&b, "（版式偏好：%s）\n", s.LayoutPreference)
	}
	fmt.Fprintf(&b, "\n%s\n", statusLine)
	for _, name := range shownFields {
		line(name, "%s", s.progress(name))
	}
	line(reviewLine, "%s", s.reviewed())
	if len(s.QualityScores) > 0 {
		line(scoresLine, "%s（及格线 %.2f）", s.QualityScores, r.threshold)
	}
	if low, ok := s.QualityScores.lowest(r.threshold); ok {
		line(backLine, "%s（%s 最低，建议回到这里）", low.agent, low.name)
	}
	line(mayEndLine, "%s", r.endable(s))
	line(iterateLine, "%d/%d", r.iteration(s.IterationCount+1, s), r.limit(s))
	b.WriteString(s.steps())
	return b.String()
}

func (s *state) progress(name string) string {
	switch {
	case !s.has(name):
		return "missing"
	case name == "generatedImageAssetIds" && !imagesComplete(s.ImagePlans, s.GeneratedImageAssetIDs):
		return fmt.Sprintf("partial %d/%d", painted(s.ImagePlans, s.GeneratedImageAssetIDs), len(s.ImagePlans))
	}
	return done
}

func (s *state) reviewed() string {
	switch {
	case s.ReviewFeedback == nil:
		return "missing"
	case s.ReviewFeedback.Approved:
		return "approved"
	}
	return strings.TrimRight("rejected："+shortened(strings.Join(s.ReviewFeedback.Comments, "；"), 200), "：")
}

func (r rules) endable(s *state) string {
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

// mostSteps is how many of the last steps are told at length.
const mostSteps = 6

// steps are who ran since the user spoke, how each fared, and what became of the
// last decision.
func (s *state) steps() string {
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
	for _, m := range log[max(0, len(log)-mostSteps):] {
		if m.Name == supervisorNode {
			m.Content = readDecision(m.Content).NextAgent
		}
		fmt.Fprintf(&b, "%s: %s\n", m.Name, shortened(strings.ReplaceAll(m.Content, "\n", " "), 120))
	}
	return b.String()
}

// outcome is how an agent fared, in a word.
func outcome(note string) string {
	if strings.HasPrefix(note, done) {
		return done
	}
	return "failed"
}

// snapshot is a status as it is read again.
type snapshot struct {
	missing []string // artefacts
	review  string
	back    string
	mayEnd  bool
	ran     []string
	failed  []string // of those
}

// readStatus reads the last status in a text; of a text without one nothing is
// known.
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
	case slices.Contains(shownFields, name) && first != done:
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
			if v.ran = append(v.ran, agent); how != done+")" {
				v.failed = append(v.failed, agent)
			}
		}
	}
}

func (v snapshot) lacks(field string) bool { return slices.Contains(v.missing, field) }

package toolrouter

import (
	"regexp"
	"slices"

	"evalctl/agent"
	"evalctl/agent/toolrouter/intent"
)

// repeats matches texts that only request to repeat or continue something, such as 再试一次, 继续 or
// "try again". Such a text does not name what to repeat.
var repeats = regexp.MustCompile(`^(?:` + repeatFillers + `)*(?:` +
	`继续|接着|重试|重来|重新(?:` + repeatVerbs + `)|再(?:` + repeatVerbs + `)+|再说一[遍次]` +
	`|\b(?:try|do|search|draw|paint|generate|ask|look|run|check|say|answer|send) ?(?:it|that|this)? ?` +
	`(?:once more|one more time|again)\b` +
	`|\b(?:once more|one more time|again|retry|redo|resume|continue|go on|go ahead|keep going|carry on)\b` +
	`)(?:` + repeatFillers + `|` + repeatVerbs + `)*$`)

// repeatFillers are polite words and words that refer to the earlier request without its content.
const (
	repeatVerbs   = `试试|试|来|查查|查|搜索|搜|画|做|生成|出|问|答|回答|发|弄|看看`
	repeatFillers = `[\s\pP]|请|麻烦|帮我|给我|帮忙|你|那就?|就|好的?|嗯|一?下|一?[次遍回张幅个]|刚才的?|刚刚的?|吧|呗|啊|呀|了|吗|嘛|呢` +
		`|可以|行|谢谢|没(?:出来|成功|有?回答|收到|反应|看到)|失败|断|出错` +
		`|\b(?:please|pls|plz|ok|okay|can|could|would|will|you|just|now|it|that|this|the|search|picture|image|request` +
		`|question|for|me|let's|let|us|try|thanks|thank|so|and|yes)\b`
)

// repeatedRequest returns the turn that repeats the user's last request, if that request was not
// answered and the text of t only requests to repeat it. Its history ends before the request.
// Otherwise it returns t.
func repeatedRequest(t agent.Turn) agent.Turn {
	if len(t.Images) > 0 || !onlyRepeats(t.Text) {
		return t
	}
	if at := lastUnanswered(t.History); at >= 0 {
		t.Text, t.Images, t.History = t.History[at].Content, t.History[at].Images, t.History[:at]
	} else if m := t.FailedMessage; m != nil && !onlyRepeats(m.Content) {
		t.Text, t.Images = m.Content, m.Images
	}
	return t
}

// lastUnanswered returns the index of the user's last request, if it was not answered, or not with
// the image that it requests; otherwise -1. Messages that only repeat a request are skipped.
func lastUnanswered(history []agent.Message) int {
	var isAnswered, hasImage bool
	for i, m := range slices.Backward(history) {
		switch {
		case m.Role == "assistant":
			isAnswered = isAnswered || !m.IsIncomplete()
			hasImage = hasImage || m.GeneratedImageURL != ""
		case m.Role != "user" || onlyRepeats(m.Content):
		case !isAnswered || !hasImage && requestsImage(m, history[:i]):
			return i
		default:
			return -1
		}
	}
	return -1
}

// requestsImage reports whether a message requests an image according to the rules.
func requestsImage(m agent.Message, history []agent.Message) bool {
	_, draws := intent.DetectImageGen(m.Content)
	_, edits := intent.DetectImageEdit(m.Content)
	return len(m.Images) == 0 && (draws || edits && canEditImage(m.Content, history))
}

// resumes matches texts that request to continue a text or to repeat a search.
var resumes = regexp.MustCompile(
	`继续|接着|[查搜问答说]|\b(?:resume|continue|go|keep|carry|search|ask|look|answer|say|run|check)\b`)

// retriesImage reports whether a text that is sent after an image requests another version of it: the
// text only requests a repetition (重试, "try again"), and not to continue or to search.
func retriesImage(text string) bool {
	return onlyRepeats(text) && !resumes.MatchString(normalize(text))
}

// onlyRepeats reports whether a text only requests to repeat or continue something.
func onlyRepeats(text string) bool {
	return len(text) <= maxReferenceLen && repeats.MatchString(normalize(text))
}

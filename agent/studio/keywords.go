package studio

import (
	"cmp"
	"regexp"
	"strings"

	"evalctl/agent/llm"
)

// keywordConfidence is the confidence of a plan that keywords determine.
const keywordConfidence = 0.6

// keyword lists words in an invalid answer of the planner that indicate an action.
type keyword struct {
	action string
	words  []string // in lower case
}

var actionNames = []keyword{
	{actionGenerateImage, []string{actionGenerateImage}},
	{ActionInpainting, []string{ActionInpainting}},
	{ActionAdjustParameters, []string{ActionAdjustParameters}},
	{ActionUnknown, []string{ActionUnknown}},
}

var actionWords = []keyword{
	{ActionInpainting, []string{"局部重绘", "重绘", "蒙版", "涂抹", "修改", "替换", "局部", "inpaint", "masked"}},
	{ActionAdjustParameters, []string{"调整", "调节", "参数", "adjust", "parameter"}},
	{actionGenerateImage, []string{"生成", "文生图", "新图", "绘制", "画一", "作画", "generat", "text to image", "text-to-image",
		"draw", "paint"}},
}

// maxSearchedBytes limits the search for keywords to the beginning of a text. It is a length in
// bytes.
const maxSearchedBytes = 4 << 10

var (
	// negated matches a negation directly before a keyword. In Chinese, the negation may be a verb
	// with a longer object, or start a list.
	negated = regexp.MustCompile(`(?:(?:不|没|无|并非)[^，。！？；,.!?;]{0,6}|(?:不(?:是|属于|算|需要|应)|并非|没有)[^，。！？；,.!?;]{0,24}|` +
		`(?:\bnot |n't |\bno |\bcannot |\bunable to )[^，。！？；,.!?;]{0,6}|\b(?:neither|nor|rather than|instead of) [^，。！？；,.!?;]{0,12})$`)
	// echoedChoices matches a list of all actions, which some models copy from the prompt instead
	// of choosing one.
	echoedChoices = regexp.MustCompile(`[a-z_]+(?:\s*\|\s*[a-z_]+)+`)
)

// readKeywords returns the action that an invalid answer of the planner contains: by its name,
// otherwise by the first keyword, otherwise ActionUnknown. Negated words do not count, nor does a
// name that is cut off at the end.
func readKeywords(raw string) string {
	raw = llm.StripReasoning(raw)
	text := strings.ToLower(withoutCutName(raw[:min(len(raw), maxSearchedBytes)]))
	text = echoedChoices.ReplaceAllString(text, "")
	return cmp.Or(firstAction(text, actionNames), firstAction(text, actionWords), ActionUnknown)
}

// lastValue matches a field value at the end of an answer, which may be cut off.
var lastValue = regexp.MustCompile(`(?i)["':]\s*([a-z_]+)$`)

// withoutCutName returns an answer without an incomplete action name at its end.
func withoutCutName(raw string) string {
	m := lastValue.FindStringSubmatchIndex(raw)
	if m == nil {
		return raw
	}
	last := strings.ToLower(raw[m[2]:])
	for _, action := range Actions() {
		if len(last) < len(action) && strings.HasPrefix(action, last) {
			return raw[:m[2]]
		}
	}
	return raw
}

// firstAction returns the action whose word occurs first in a text; "": none does.
func firstAction(text string, list []keyword) (action string) {
	at := len(text)
	for _, k := range list {
		for _, w := range k.words {
			if i := indexAffirmed(text, w); i >= 0 && i < at {
				action, at = k.action, i
			}
		}
	}
	return action
}

// indexAffirmed returns the position of the first occurrence of a word that is not negated, or -1.
func indexAffirmed(text, word string) int {
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return -1
		}
		i += from
		if !negated.MatchString(text[max(0, i-60):i]) {
			return i
		}
		from = i + len(word)
	}
}

package studio

import (
	"cmp"
	"regexp"
	"strings"

	"evalctl/agent/llm"
)

// byKeywords is the confidence in a plan that was read from words.
const byKeywords = 0.6

// keyword is what tells an action in an answer that is no plan.
type keyword struct {
	action string
	words  []string // in lower case
}

var names = []keyword{
	{generateImage, []string{generateImage}},
	{Inpainting, []string{Inpainting}},
	{AdjustParameters, []string{AdjustParameters}},
	{Unknown, []string{Unknown}},
}

var words = []keyword{
	{Inpainting, []string{"局部重绘", "重绘", "蒙版", "涂抹", "修改", "替换", "局部", "inpaint", "masked"}},
	{AdjustParameters, []string{"调整", "调节", "参数", "adjust", "parameter"}},
	{generateImage, []string{"生成", "文生图", "新图", "绘制", "画一", "作画", "generat", "text to image", "text-to-image", "draw", "paint"}},
}

// readable is how much of an answer is read, in bytes: more is no answer.
const readable = 4 << 10

var (
	// denied is what stands before a word that is denied: before a Chinese one the
	// negation may be a verb, which takes a longer object, or head a list.
	denied = regexp.MustCompile(`(?:(?:不|没|无|并非)[^，。！？；,.!?;]{0,6}|(?:不(?:是|属于|算|需要|应)|并非|没有)[^，。！？；,.!?;]{0,24}|` +
		`(?:\bnot |n't |\bno |\bcannot |\bunable to )[^，。！？；,.!?;]{0,6}|\b(?:neither|nor|rather than|instead of) [^，。！？；,.!?;]{0,12})$`)
	// template is the list of choices of a prompt, which a model echoes in place of
	// an answer.
	template = regexp.MustCompile(`[a-z_]+(?:\s*\|\s*[a-z_]+)+`)
)

// readKeywords finds an action in a model's own words: the one that it calls
// by name, else the one whose word comes first, else Unknown. Denied ones do not count,
// nor does a name that the answer breaks off in.
func readKeywords(raw string) string {
	raw = llm.StripReasoning(raw)
	text := strings.ToLower(withoutCutName(raw[:min(len(raw), readable)]))
	text = template.ReplaceAllString(text, "")
	return cmp.Or(first(text, names), first(text, words), Unknown)
}

// lastValue is the beginning of a value that an answer breaks off in.
var lastValue = regexp.MustCompile(`(?i)["':]\s*([a-z_]+)$`)

// withoutCutName removes the beginning of an action's name from the end of an answer.
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

// first is the action whose word stands first, "" for none.
func first(text string, list []keyword) (action string) {
	at := len(text)
	for _, k := range list {
		for _, w := range k.words {
			if i := affirmed(text, w); i >= 0 && i < at {
				action, at = k.action, i
			}
		}
	}
	return action
}

// affirmed is where word first occurs without being denied, -1 where it does
// not.
func affirmed(text, word string) int {
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return -1
		}
		i += from
		if !denied.MatchString(text[max(0, i-60):i]) {
			return i
		}
		from = i + len(word)
	}
}

package studio

import (
	"cmp"
	"regexp"
	"strings"
	"unicode/utf8"

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
	{ActionInpainting, []string{"局部重绘", "重绘", "蒙版", "涂抹", "修改", "替换", "局部", "inpaint", "repaint", "masked"}},
	{ActionAdjustParameters, []string{"调整", "调节", "参数", "adjust", "parameter"}},
	{actionGenerateImage, []string{"生成", "文生图", "新图", "绘制", "画一", "作画", "generat", "create", "text to image",
		"text-to-image", "new image", "new picture", "make image", "make picture", "make a picture", "make an image",
		"draw", "paint", "sketch", "illustrat"}},
}

// maxSearchedBytes limits the search for keywords to the beginning of a text. It is a length in
// bytes.
const maxSearchedBytes = 4 << 10

// Patterns for negations, which are applied to the clause before or after a keyword.
var (
	clauseEnd = regexp.MustCompile(`[，。！？；：,.!?;:\n—–]| - |` +
		`\b(?:but|so|and|then|because|the user|they|he|she)\b|而是|所以|因此`)
	// negatedBefore matches the rest of a clause before a keyword if it negates the keyword. A
	// negated verb negates its objects. The words 不, no and 没 negate only what is close to them.
	negatedBefore = regexp.MustCompile(`(?:不|没|无|并非).{0,6}$|(?:不(?:是|属于|算|需要|应)|并非|没有).{0,24}$|\bno .{0,6}$|` +
		`n't\b|\b(?:not|never|neither|nor|cannot|unable to|rather than|instead of|no need)\b`)
	// negatedAfter matches the text after a keyword if it negates the keyword.
	negatedAfter = regexp.MustCompile(`^[a-z]*(?: (?:task|action|request|operation))?` +
		` (?:is|was|are|would be|should|does|do)(?: not|n't)\b|` +
		`^(?:重绘)?(?:任务|操作|请求)?(?:并?不(?:是|适|合|需|必|对|行|属)|并非|没有?必要)`)
)

// Patterns for parts of an answer that indicate no action.
var (
	// echoedChoices matches a list of all actions, which some models copy from the prompt instead
	// of choosing one.
	echoedChoices = regexp.MustCompile(`[a-z_]+(?:\s*\|\s*[a-z_]+)+`)
	// imageContent matches the fields that describe the image. A subject may be a masked hero.
	imageContent = regexp.MustCompile(`["'](?:subject|style|prompt)["']\s*:\s*(?:"[^"]*"?|'[^']*'?)`)
	// jsonKey matches the name of a field in JSON, also without quotes.
	jsonKey = regexp.MustCompile(`["'][^"'\n]*["']\s*:|[{,]\s*[a-z_]+\s*:`)
	// actionField captures the value of the field "action".
	actionField = regexp.MustCompile(`\baction["']*\s*:\s*["']*([^"'\n,{}\[\]]*)`)
)

// readKeywords returns the action that an invalid answer of the planner contains: first in the field
// "action", then in the rest of the answer, but not in the names of its fields. A name of an action
// takes precedence, then the first keyword; otherwise it is ActionUnknown. Negated words do not
// count, nor does a name that is cut off at the end.
func readKeywords(raw string) string {
	raw = llm.StripReasoning(raw)
	text := strings.ToLower(withoutCutName(raw[:min(len(raw), maxSearchedBytes)]))
	text = echoedChoices.ReplaceAllString(strings.ReplaceAll(text, "’", "'"), "")
	value := ""
	if m := actionField.FindStringSubmatch(text); m != nil {
		value = m[1]
	}
	rest := jsonKey.ReplaceAllString(imageContent.ReplaceAllString(text, ""), ",")
	return cmp.Or(actionIn(value), actionIn(rest), ActionUnknown)
}

// actionIn returns the action that a text contains by name, otherwise by keyword; "": none.
func actionIn(text string) string {
	return cmp.Or(firstAction(text, actionNames), firstAction(strings.ReplaceAll(text, "_", " "), actionWords))
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

// indexAffirmed returns the position of the first occurrence of a word that is not negated, or -1. A
// word in Latin script must not be the end of a longer word.
func indexAffirmed(text, word string) int {
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return -1
		}
		i += from
		from = i + len(word)
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		first, _ := utf8.DecodeRuneInString(word)
		if !(isLatin(before) && isLatin(first)) && !isNegated(text[max(0, i-maxClause):i], text[from:]) {
			return i
		}
	}
}

// maxClause is how many bytes before a word are searched for a negation.
const maxClause = 200

// isNegated reports whether the texts before and after a word negate it.
func isNegated(before, after string) bool {
	clause := before
	if ends := clauseEnd.FindAllStringIndex(before, -1); ends != nil {
		clause = before[ends[len(ends)-1][1]:]
	}
	return negatedBefore.MatchString(clause) || negatedAfter.MatchString(after)
}

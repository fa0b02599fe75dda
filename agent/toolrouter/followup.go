package toolrouter

import (
	"regexp"
	"slices"
	"strings"

	"evalctl/agent"
	"evalctl/agent/toolrouter/intent"
)

// maxReferenceLen is the maximal length, in bytes, of a message that can refer to the previous
// image without naming it.
const maxReferenceLen = 200

// pronoun and noun match references to the image of the previous turn. pronoun matches phrases such
// as 描述一下, 它在干嘛 or "describe it". noun matches 那只猫 or "the cat". It counts only if the user had
// requested a cat.
var (
	pronoun = regexp.MustCompile(`^(?:请|帮我|再|来)?(?:描述|点评|赏析|形容)一?下?[\s\pP]*$` +
		`|^它们?(?:[是在有叫像].{0,12}(?:什么|啥|嘛|吗|几|谁|哪|多)|几|多)|^这是?(?:什么|哪|谁|啥)` +
		`|^(?:please |can you |could you )*(?:describe|caption) (?:it|this|that)[\s\pP]*$`)
	noun = regexp.MustCompile(`[这那][一两几]?[只个条头匹位朵座棵辆艘架]([^\x00-\x{2fff}画图])|\b(?:the|this|that) ([a-z]{3,})`)
)

// refersToPrevious reports whether a text refers to the image of the previous turn.
func refersToPrevious(text string, history []agent.Message) bool {
	request, shown := lastRequest(history)
	if !shown || len(text) > maxReferenceLen {
		return false
	}
	if pronoun.MatchString(text) {
		return true
	}
	words := strings.FieldsFunc(request, func(c rune) bool { return c < 'a' || c > 'z' })
	for _, found := range noun.FindAllStringSubmatch(text, -1) {
		if found[1] != "" && strings.Contains(request, found[1]) || slices.Contains(words, found[2]) {
			return isQuestion.MatchString(text)
		}
	}
	return false
}

// lastRequest returns the newest message of the user in lower case. shown is true if that turn had
// an image.
func lastRequest(history []agent.Message) (text string, shown bool) {
	for _, m := range slices.Backward(history) {
		shown = shown || m.GeneratedImageURL != "" || len(m.Images) > 0 || m.ImagesExpired
		if m.Role == "user" {
			return intent.Normalize(m.Content), shown
		}
	}
	return "", shown
}

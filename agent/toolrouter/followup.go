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

// Patterns for references to the image of the previous turn. pronoun matches phrases such as 描述一下,
// 它在干嘛 or "describe it". noun matches 那只猫 or "the cat". It counts only if the user had requested a
// cat. visible matches what only somebody who sees the image can answer: colors, clothes, expressions,
// places within the image, and how many there are of something.
var (
	pronoun = regexp.MustCompile(`^(?:请|帮我|再|来)?(?:描述|点评|赏析|形容)一?下?[\s\pP]*$` +
		`|^[它她他]们?.{0,14}(?:什么|啥|嘛|吗|几|谁|哪|多)|^[这那]是?(?:什么|哪|谁|啥)` +
		`|^(?:please |can you |could you )*(?:describe|caption) (?:it|this|that)[\s\pP]*$` +
		`|^(?:(?:and|so|what|why|where|how|who|which)\b[a-z ]{0,20})?(?:is|are|does|do|has) (?:it|she|he|they)\b|\b(?:is|are) (?:that|this|those|these)[\s\pP]*$` +
		`|\b(?:is|are) (?:that|this|those|these) an?\b|^where (?:is|was) (?:this|that|it)\b` +
		`|\b(?:why|what) (?:is|are) (?:it|she|he|they|there)\b`)
	noun = regexp.MustCompile(`[这那][一两几]?[只个条头匹位朵座棵辆艘架]([^\x00-\x{2fff}画图])|\b(?:the|this|that) ([a-z]{3,})`)

	visible = phrase(`颜色|色调|配色|风格|品种|表情|神态|构图|光线|背景|前景|[左右]边|中间那|角落|手[里上]|[穿戴拿抱骑]着?(?:的是|了?什么|的)|眼睛|头发|尾巴|脸上|衣服` +
		`|在(?:干|做|看|笑|吃|想|说)|写[了着的]?(?:是|的是)?(?:什么|啥)|^[\s\pP]*(?:里面|上面|一共|总共)*有几[^点年天月周小]` +
		`|\b(?:breed|colou?rs?|style|species|wearing|holding|carrying|smiling|facing|background|foreground|expression|eyes|hair|tail)\b` +
		`|\b(?:on|at|to) the (?:left|right|top|bottom|side|sign|wall)\b|\bin the (?:corner|middle|cent(?:er|re)|front|back|distance)\b` +
		`|\bhow many [a-z ]{1,30}(?:are|is) (?:there|in it|in this|visible)\W*$`)
	// the user or the agent, not the image, is the subject, or the question is about the world
	notVisible = phrase(`你(?:们|喜欢|最|会|有|是|的|能[^看])|我|一般|通常|世界|平时|应该` +
		`|\b(?:you|your|i|my|we|our)\b|\b(?:usually|in general|best|world|on earth|should|really)\b`)
)

// refersToShown reports whether a text refers to the image that the user's request produced or
// contained, without naming it.
func refersToShown(text, request string) bool {
	if len(text) > maxReferenceLen {
		return false
	}
	if pronoun.MatchString(text) && !notVisible.MatchString(text) {
		route, _ := intent.Decide(text, intent.RouteTimeQuery|intent.RouteWebSearch)
		return route == 0 // not "what time is it"
	}
	if !isQuestion.MatchString(text) {
		return false
	}
	if visible.MatchString(text) && !notVisible.MatchString(text) {
		return true
	}
	words := strings.FieldsFunc(request, func(c rune) bool { return c < 'a' || c > 'z' })
	for _, found := range noun.FindAllStringSubmatch(text, -1) {
		if found[1] != "" && strings.Contains(request, found[1]) || slices.Contains(words, found[2]) {
			return true
		}
	}
	return false
}

// shownImage reports whether the user still sees the newest image: all later messages of the user are
// questions about it, requests to change it, or retries. request is the message that requested or
// contained the image, in lower case; a text such as 再试一次 is not the request.
func shownImage(history []agent.Message) (request string, shown bool) {
	at := len(history) - 1
	for ; at >= 0; at-- {
		if m := history[at]; m.GeneratedImageURL != "" || len(m.Images) > 0 || m.ImagesExpired {
			break
		}
	}
	from := at
	for from >= 0 && (history[from].Role != "user" ||
		len(history[from].Images) == 0 && onlyRepeats(history[from].Content)) {
		from--
	}
	if from < 0 {
		return "", false
	}
	request = normalize(history[from].Content)
	for _, m := range history[at+1:] {
		if m.Role != "user" {
			continue
		}
		_, asks := aboutImage(m.Content, request, true)
		_, changes := intent.DetectImageEdit(m.Content)
		if !asks && !changes && !onlyRepeats(m.Content) {
			return "", false
		}
	}
	return request, true
}

// canEditImage reports whether a text can request a change to an image of the agent: one that the
// user still sees, or an earlier one that the text mentions.
func canEditImage(text string, history []agent.Message) bool {
	if len(text) > maxReferenceLen || byAgent.lastImages(history).urls == nil {
		return false
	}
	_, shown := shownImage(history)
	return shown || anyMention.MatchString(normalize(text))
}

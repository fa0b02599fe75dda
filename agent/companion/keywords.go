package companion

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"evalctl/agent/dates"
)

// keywords are words of messages that refer to the past. If the model's answer is invalid, they
// decide instead whether a message needs the memory. Expressions for days (昨天, last week) are not
// listed, because they are parsed as dates.
var keywords = []struct {
	word string
	// reports whether the word refers to the past between these two texts; nil: it always does
	means func(before, after string) bool
}{
	{word: "之前"}, {word: "以前"}, {word: "过去", means: isPast},
	{word: "发生了什么"}, {word: "讨论了什么"}, {word: "聊了什么"}, {word: "记得", means: isRecalled},
	{word: "查询"}, {word: "查找"}, {word: "搜索"},
	{word: "remember", means: isRemembered}, {word: "recall", means: isRemembered}, {word: "what happened"},
	{word: "previously"},
	{word: "in the past"}, {word: "we talked"}, {word: "did we"}, {word: "i told you"}, {word: "you told me"},
	{word: "search for"}, {word: "look up"},
}

// keyword returns the first keyword of a message; "": none.
func keyword(text string) string {
	text = strings.ToLower(text)
	for _, k := range keywords {
		for from := 0; ; {
			i := strings.Index(text[from:], k.word)
			if i < 0 {
				break
			}
			i += from
			from = i + len(k.word)
			if k.means == nil || k.means(text[:i], text[from:]) {
				return k.word
			}
		}
	}
	return ""
}

// Contexts of 记得, which is usually a reminder (记得穿秋裤). It refers to the past in a question:
// in 还记得 and 不记得, with a question word, or before something shared.
var (
	askedAgain   = regexp.MustCompile(`[还不]$`)
	shared       = regexp.MustCompile(`^(?:我们|咱|那|上次|上回|之前|以前)`)
	question     = regexp.MustCompile(`什么|甚么|啥|谁|哪|多少|怎[么样]|为何|几[个次点号时天月]|[吗么嘛不没]$|记不记得`)
	confirmation = regexp.MustCompile(`(?:好|可以|行|成|听到了?|知道了?|懂|对)[吗么嘛不没]*$`) // 记得带伞好吗
)

func isRecalled(before, after string) bool {
	clause := lastClause(before) + "记得" + firstClause(after)
	return askedAgain.MatchString(before) || shared.MatchString(after) ||
		question.MatchString(confirmation.ReplaceAllString(clause, ""))
}

const clauseEnds = "。！!?？，,；; \n"

func firstClause(text string) string {
	text = strings.TrimSpace(text)
	if i := strings.IndexAny(text, clauseEnds); i >= 0 {
		return text[:i]
	}
	return text
}

func lastClause(text string) string {
	text = strings.TrimSpace(text)
	if i := strings.LastIndexAny(text, clauseEnds); i >= 0 {
		_, size := utf8.DecodeRuneInString(text[i:])
		return text[i+size:]
	}
	return text
}

// Contexts in which 过去 means the past: next to a time span, and in 过去的. Elsewhere it means a
// movement: 我过去一趟.
var (
	spanOfTime = `(?:[几一二两三四五六七八九十半\d]+|这|那|好|多)(?:天|个?(?:周|星期|礼拜|月)|年|些[天年日]|段(?:时间|日子)|几[天年周个])`
	beforeSpan = regexp.MustCompile(`^(?:的[^话路吧啊呀呢了吗。！!?？，,]|` + spanOfTime + `)`)
	behindSpan = regexp.MustCompile(spanOfTime + `(?:就|都|已经)*$`)
	movement   = regexp.MustCompile(`[走跑开飞拿送寄递赶骑搬传冲转带打扔发绕爬坐看熬忍挺挤推抱搭划游滑跳跨穿闪躲蹲睡晕]$`)
)

func isPast(before, after string) bool {
	return !movement.MatchString(before) && (beforeSpan.MatchString(after) || behindSpan.MatchString(before))
}

// sharedWords matches words about something that the user and the companion did together. They show
// that an ambiguous date (周三, 10月7号) is in the past.
var sharedWords = regexp.MustCompile(
	`我们(?:定|聊|说|谈|约|在哪|想)|咱们?(?:定|聊|说|谈|约)|我(?:们)?(?:说|提)|你跟我|我跟你|聊过|聊了|\bdid (?:i|we|you)\b|\bhad (?:i|we)\b`)

// datedPast reports whether the dates in the message refer to the past.
func (r *run) datedPast() bool {
	return r.namedDates.HasPastExpression || r.namedDates.HasDayBefore(dates.DayOf(r.now)) &&
		sharedWords.MatchString(strings.ToLower(r.text))
}

// Contexts of "remember" that refer to the past. "remember the milk" is a request, and "I will
// always remember you" a promise.
var (
	doYou    = regexp.MustCompile(`(?:\b(?:do|don't|did) (?:you|u) |^\W*(?:you|u) )(?:\w+ )?$`)
	whatThat = regexp.MustCompile(
		`^\s+(?:when|what|where|who|which|how|that (?:time|day|night)|the (?:time|day|night) |(?:we|our|us)\b)|^\s*(?:我|那|上)`)
	reminder = regexp.MustCompile(`^\s+(?:me\s+)?to\b`)
)

func isRemembered(before, after string) bool {
	return !reminder.MatchString(after) && (doYou.MatchString(before) || whatThat.MatchString(after))
}

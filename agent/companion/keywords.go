package companion

import (
	"regexp"
	"strings"
)

// keywords are the words of a question about the past that decide where a model has
// not. Days (昨天, last week) are not among them: they are read as dates.
var keywords = []struct {
	word  string
	means func(before, after string) bool // whether it is one between these; nil: it always is
}{
	{word: "之前"}, {word: "以前"}, {word: "过去", means: isPast},
	{word: "发生了什么"}, {word: "讨论了什么"}, {word: "聊了什么"}, {word: "记得", means: isRecalled},
	{word: "查询"}, {word: "查找"}, {word: "搜索"},
	{word: "remember", means: isRemembered}, {word: "recall"}, {word: "what happened"}, {word: "previously"},
	{word: "in the past"}, {word: "we talked"}, {word: "did we"}, {word: "i told you"}, {word: "you told me"},
	{word: "search for"}, {word: "look up"},
}

// keyword is the first of the keywords that a message has, "" where it has none.
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

// 记得提醒我 is a request; 还记得 and 记得带我去的那家店 ask.
var (
	request = regexp.MustCompile(`^(?:要|先|多|早点?|按时|到时候?|明[天早晚]|后天|今[天晚]|一会儿?|等[会下]|待会儿?|下次|回头|别|不要)*` +
		`(?:提醒|叫|喊|催|通知|告诉|带|帮|给|把|买|吃|喝|去|来|回|发|打|关|开|交|睡|起|拿|看|写|做|准备|充|浇|喂|还|休息|保暖)([过了的到]?)`)
	asks = regexp.MustCompile(`[还不]$`)
)

func isRecalled(before, after string) bool {
	m := request.FindStringSubmatch(after)
	return asks.MatchString(before) || m == nil || m[1] != ""
}

// 走过去 and 我马上过去 tell where somebody goes.
var (
	going = regexp.MustCompile(`[走跑开飞拿送寄递赶骑搬传冲转带打扔发绕爬坐看熬忍挺挤推抱搭划游滑跳跨穿闪躲蹲]$`)
	past  = regexp.MustCompile(`^(?:的(?:[^话路]|$)|[几这那一二两三四五六七八九十半\d]|我们|咱|曾|发生|聊|说[过的了])`)
)

func isPast(before, after string) bool {
	return past.MatchString(after) && !going.MatchString(before)
}

var reminder = regexp.MustCompile(`^\s+(?:me\s+)?to\b`)

func isRemembered(_, after string) bool { return !reminder.MatchString(after) }

package companion

import (
	"regexp"
	"strings"

	"evalctl/agent/dates"
)

// day is the placeholder for a date in the text that the rules match.
const day = "§"

// Words in the patterns of plainRules. The message must end after a question. If it continues, it
// is a story (你知道昨天发生了什么吗！我被骂了) or a question to somebody else.
const (
	usWords            = `(?:我们|咱们|咱俩|咱|我俩|我[跟和]你|你[跟和]我|你|我)`
	recallVerbs        = `(?:聊|说|讲|谈|提|讨论|商量|约定?|定|发生)`
	whatWords          = `(?:些|点|一些)?(?:什么|啥|哪些)(?:事情?|话题?|东西|内容)?`
	adverbs            = `(?:都|又|到底|究竟|一起|在)*`
	questionEnd        = `(?:了|来着|呀|啊|呢|吗|吧|嘛|诶|哦|哈)*[^\p{L}\p{N}]*$`
	modelRequest       = `\bwhat(?: \w+)? (?:did (?:we|i|you)|(?:have|had) we|were (?:we|i|you)) (?:\w+ ){0,2}?(?:talk|chat|discuss|say|said|tell|told|mention|decide|agree|get up to)\w*`
	questionEndEnglish = `(?: again| exactly| please)?\W*$`
)

// plainRules are patterns of plain questions about earlier days, which need no model call: a date
// and a verb of recall, about something that the user and the companion have shared.
var plainRules = []struct {
	rule    string
	pattern *regexp.Regexp
	// the pattern also matches questions about the world; only its first group shows that the user
	// and the companion are meant
	maybeWorld bool
	example    string
	counter    string // text that must not match
}{
	{
		rule: "date.what",
		pattern: regexp.MustCompile(`(?:^|[^\p{L}\p{N}]|` + usWords + `|记得|知道|那)` + day + `(?:的时候|那天)?[，,、]?` +
			usWords + `?` + adverbs +
			strings.Replace(recallVerbs, "|发生", "", 1) + `[到了过起]*` + whatWords + questionEnd),
		example: "昨天我们聊了什么", counter: "昨天老板说了什么把你气成这样",
	},
	{
		rule: "happened",
		pattern: regexp.MustCompile(`^(?:那|诶|欸|话说|对了|(?:你还?|还)?记得)?[^\p{L}\p{N}` + day + `]*` + day +
			`(?:那天)?[，,、]?(我们|咱们|咱俩|咱)?` + adverbs +
			`发生[了过]?` + whatWords + questionEnd),
		maybeWorld: true,
		example:    "昨天发生了什么", counter: "你知道昨天发生了什么吗！我被老板骂了",
	},
	{
		rule: "remember.date",
		pattern: regexp.MustCompile(`(?:还记得|记不记得|有印象)[^。！!?？]*` + day + `[^。！!?？]*` + usWords + `[^。！!?？]*` +
			recallVerbs + `[^。！!?？]*(?:吗|么|不|没|什么|啥|哪)[^。！!?？]*[^\p{L}\p{N}]*$`),
		example: "你还记得上周三我跟你说的那家店叫什么", counter: "记得明天去之前说的那家店",
	},
	{
		rule:    "what.date",
		pattern: regexp.MustCompile(modelRequest + `\b.{0,40}?` + day + questionEndEnglish),
		example: "what time did we say for dinner yesterday",
		counter: "what did you say yesterday that made him mad lol",
	},
	{
		rule: "date.asked",
		pattern: regexp.MustCompile(day + `[ ,]+` + modelRequest + `(?: (?:me|you|us))?(?: about| on)?` +
			questionEndEnglish),
		example: "On Monday, what did we talk about?", counter: "on Monday what did you say to my boss",
	},
	{
		rule: "happened.date",
		pattern: regexp.MustCompile(
			`^(?:(?:so|and|hey|hi|ok|okay|well|um)\W+)*what (?:happened|came up) (to us |with us |between us )?(?:on |in |over |back )?` + day + questionEndEnglish),
		maybeWorld: true,
		example:    "What happened last week?", counter: "guess what happened yesterday!",
	},
	{
		rule: "remember.en",
		pattern: regexp.MustCompile(
			`\b(?:do|don't|can) you (?:still )?(?:remember|recall) .{0,40}\b(?:we|i|you) (?:\w+ )?(?:talk|chat|discuss|say|said|tell|told|mention)\w*` +
				`(?: \w+){0,6} ` + day + questionEndEnglish),
		example: "do you remember what I told you on Monday", counter: "can you remember to call me on Monday",
	},
}

// plainRule returns the first rule that matches a message about days before today; "": none. What
// happened on a day of the calendar (9/11, 2008年5月12日) may be history, so the model decides.
func plainRule(text string, found dates.Result, today dates.Day) string {
	if !found.HasDayBefore(today) || len(found.Invalid) > 0 {
		return ""
	}
	marked := strings.ToLower(markDates(text, found))
	dense := spaced.ReplaceAllString(spaced.ReplaceAllString(marked, "$1$2"), "$1$2")
	for _, p := range plainRules {
		groups := p.pattern.FindStringSubmatch(marked)
		if groups == nil {
			groups = p.pattern.FindStringSubmatch(dense)
		}
		if groups != nil && !(p.maybeWorld && found.HasCalendarDate && groups[1] == "") {
			return p.rule
		}
	}
	return ""
}

// spaced matches two Chinese characters with a space between them, which the rules ignore. A date
// placeholder counts as a character.
var spaced = regexp.MustCompile(`([\p{Han}` + day + `，])\s+([\p{Han}` + day + `])`)

// markDates replaces each date in the text by the placeholder day.
func markDates(text string, found dates.Result) string {
	var b strings.Builder
	from := 0
	for _, s := range found.Spans {
		b.WriteString(text[from:s.From] + day)
		from = s.To
	}
	b.WriteString(text[from:])
	return b.String()
}

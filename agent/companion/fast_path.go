package companion

import (
	"regexp"
	"strings"

	"evalctl/agent/companion/dates"
)

// day stands for a date in what the plain questions are looked for.
const day = "§"

// Words of plain questions. Behind one stands nothing but a mark: what goes on is a
// story (你知道昨天发生了什么吗！我被骂了), or a question to somebody else.
const (
	we      = `(?:我们|咱们|咱俩|咱|我俩|我[跟和]你|你[跟和]我|你|我)`
	told    = `(?:聊|说|讲|谈|提|讨论|商量|约定?|定|发生)`
	what    = `(?:些|点|一些)?(?:什么|啥|哪些)(?:事情?|话题?|东西|内容)?`
	adverbs = `(?:都|又|到底|究竟|一起|在)*`
	end     = `(?:了|来着|呀|啊|呢|吗|吧|嘛|诶|哦|哈)*[^\p{L}\p{N}]*$`
	asked   = `\bwhat(?: \w+)? (?:did (?:we|i|you)|(?:have|had) we|were (?:we|i|you)) (?:\w+ ){0,2}?(?:talk|chat|discuss|say|said|tell|told|mention|decide|agree|get up to)\w*`
	enough  = `(?: again| exactly| please)?\W*$`
)

// plain are the questions that plainly ask about days before today: a date and a verb
// of recall, asked of what the two have shared.
var plain = []struct {
	rule    string
	pattern *regexp.Regexp
	example string
	counter string // is none
}{
	{
		rule: "date.what",
		pattern: regexp.MustCompile(`(?:^|[^\p{L}\p{N}]|` + we + `|记得|知道|那)` + day + `(?:的时候|那天)?[，,、]?` + we + `?` + adverbs +
			strings.Replace(told, "|发生", "", 1) + `[到了过起]*` + what + end),
		example: "昨天我们聊了什么", counter: "昨天老板说了什么把你气成这样",
	},
	{
		rule: "happened",
		pattern: regexp.MustCompile(`^(?:那|诶|欸|话说|对了|(?:你还?|还)?记得)?[^\p{L}\p{N}` + day + `]*` + day + `(?:那天)?[，,、]?(?:我们|咱们|咱俩|咱)?` + adverbs +
			`发生[了过]?` + what + end),
		example: "昨天发生了什么", counter: "你知道昨天发生了什么吗！我被老板骂了",
	},
	{
		rule:    "remember.date",
		pattern: regexp.MustCompile(`(?:还记得|记不记得|有印象)[^。！!?？]*` + day + `[^。！!?？]*` + we + `[^。！!?？]*` + told + `[^。！!?？]*(?:吗|么|不|没|什么|啥|哪)[^。！!?？]*[^\p{L}\p{N}]*$`),
		example: "你还记得上周三我跟你说的那家店叫什么", counter: "记得明天去之前说的那家店",
	},
	{
		rule:    "what.date",
		pattern: regexp.MustCompile(asked + `\b.{0,40}?` + day + enough),
		example: "what time did we say for dinner yesterday", counter: "what did you say yesterday that made him mad lol",
	},
	{
		rule:    "date.asked",
		pattern: regexp.MustCompile(day + `[ ,]+` + asked + `(?: (?:me|you|us))?(?: about| on)?` + enough),
		example: "On Monday, what did we talk about?", counter: "on Monday what did you say to my boss",
	},
	{
		rule:    "happened.date",
		pattern: regexp.MustCompile(`^(?:(?:so|and|hey|hi|ok|okay|well|um)\W+)*what (?:happened|came up) (?:to us |with us |between us )?(?:on |in |over |back )?` + day + enough),
		example: "What happened last week?", counter: "guess what happened yesterday!",
	},
	{
		rule: "remember.en",
		pattern: regexp.MustCompile(`\b(?:do|don't|can) you (?:still )?(?:remember|recall) .{0,40}\b(?:we|i|you) (?:\w+ )?(?:talk|chat|discuss|say|said|tell|told|mention)\w*` +
			`(?: \w+){0,6} ` + day + enough),
		example: "do you remember what I told you on Monday", counter: "can you remember to call me on Monday",
	},
}

// plainly is the rule by which a message plainly asks about days before today, "" where
// it does not.
func plainly(text string, said dates.Result, today dates.Day) string {
	if !said.Before(today) || len(said.Invalid) > 0 {
		return ""
	}
	marked := strings.ToLower(marked(text, said))
	dense := spaced.ReplaceAllString(spaced.ReplaceAllString(marked, "$1$2"), "$1$2")
	for _, p := range plain {
		if p.pattern.MatchString(marked) || p.pattern.MatchString(dense) {
			return p.rule
		}
	}
	return ""
}

// spaced are Chinese characters with a space between them; a date counts as one.
var spaced = regexp.MustCompile(`([\p{Han}` + day + `，])\s+([\p{Han}` + day + `])`)

// marked is the text with a mark in the place of each date.
func marked(text string, said dates.Result) string {
	var b strings.Builder
	from := 0
	for _, s := range said.Spans {
		b.WriteString(text[from:s.From] + day)
		from = s.To
	}
	b.WriteString(text[from:])
	return b.String()
}

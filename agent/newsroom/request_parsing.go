package newsroom

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// These patterns let simulated models without labels interpret a request. They recognize the number
// of images, whether the request has a topic, and whether it is for a new post. A request for a post
// also replaces the stored material.

var (
	imageCount = regexp.MustCompile(
		`([0-9]{1,2}|[一两二三四五六七八九十]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten)\b)\s*(?:张|幅|(?:more\s+)?(?:pictures?|pics?|photos?|images?|illustrations?)\b)`)
	imageWords   = regexp.MustCompile(`图|照片|插画|\b(?:pictures?|pics?|photos?|images?|illustrat)`)
	noImageWords = regexp.MustCompile(
		`[不别无没]有?(?:需要|要|用|必)?[配放加带]?图|图片?就?(?:算了|不要)|只要(?:文|字)|text only|\b(?:no|without)\s+(?:any\s+)?(?:pictures?|pics?|photos?|images?)`)
	filler = regexp.MustCompile(
		`帮我|给我|替我|我想要?|我要|麻烦|能不能|可不可以|可以|随便|随意|生成|什么|东西|内容|文章|笔记|帖子|推文|文案|稿子|图文|看着办|都行|都可以|你好|您好|哈喽|在吗|谢谢|早上好|晚上好|小红书|公众号|朋友圈|知乎|微博|[0-9一两二三四五六七八九十几]*\s*张?图片?|[请写做搞整来弄发出配一下点些篇个条段嗨你定吧呢啊呀吗了的就先再]|` +
			`\b(?:hi|hello|hey|there|please|help|me|can|could|you|i|want|need|to|write|make|create|draft|do|a|an|the|some|any|something|anything|whatever|post|article|piece|note|for|with|thanks|one|two|three|[0-9]+|pictures?|photos?|images?)\b`)
	// newPostWords matches an order to write together with a topic or a kind of post.
	newPostWords = regexp.MustCompile(strings.Join([]string{
		`[写来做出发]一?[篇条份]|写一?个.*(?:笔记|文章|帖子|推文|文案|攻略)`,
		`[换另改].{0,4}(?:题目|主题|话题|选题)[^写讲聊]{0,6}[写讲聊][^短长得的好清细简法]`,
		`下一?[篇条份].{0,4}(?:写|讲|聊|关于)`,
		`(?:^|再|另外|现在|接着|下面|然后|重新|请|帮我|给我)(?:写(?:一?个)?|[来做出]一?个)(?:关于|有关|讲|聊)`,
		`\b(?:an?|another)\s+(?:new\s+)?(?:post|article|piece|newsletter|carousel)\s+(?:on|about|for)\b`,
		`\b(?:write|draft|compose)\s+` + anotherPost + `(?:on|about)\b`,
		`\b(?:make|create|do|give|want|need|like|have)\s+` + anotherPost + `about\b`,
		`\b(?:now|next|another|new|different)\s+one\s+about\b|\banother\s+about\b|\bone\s+more\s+about\b`,
		`\bnow,?\s+write\s+about\b|\bwrite\s+about\b.*\binstead\b`,
		`\b(?:(?:new|different|another|next)|(?:change|switch)(?:\s+the)?)\s+(?:topic|subject)\b.*\bwrite\b`,
	}, "|"))
	newPieceWords = regexp.MustCompile(
		`[换另]一?个?(?:题目|主题|话题)|\b(?:write|draft|make|create|do)\s+(?:me\s+)?(?:an?|another)\s|\bnew topic\b`)
)

// anotherPost matches the object of an order to write, such as "one" or "another short post".
const anotherPost = `(?:(?:me|us|now|then|also)\s+)*(?:one|(?:an?|another|the\s+next)(?:\s+\w+){0,2}?\s+` +
	`(?:one|post|article|piece|newsletter|carousel|story|note|guide)|another)\s+(?:more\s+)?`

// defaultImages is the number of images that a simulated plan contains if the request names none.
const defaultImages = 2

var numbers = map[string]int{"一": 1, "两": 2, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10,
	"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}

// countImages returns the number of images that a text requests, at most maxCalls; 0 if it names
// none. The last number in the text counts.
func countImages(text string) (n int) {
	for _, m := range imageCount.FindAllStringSubmatch(strings.ToLower(text), -1) {
		digits, _ := strconv.Atoi(m[1]) // 0 for a word
		n = min(cmp.Or(numbers[m[1]], digits), maxCalls)
	}
	return n
}

// needsImages reports whether a text requests images.
func needsImages(text string) bool {
	text = strings.ToLower(text)
	return imageWords.MatchString(text) && !noImageWords.MatchString(text)
}

// hasTopic reports whether a text contains more than greetings, politeness and generic requests.
func hasTopic(text string) bool {
	return strings.ContainsFunc(filler.ReplaceAllString(strings.ToLower(text), ""), unicode.IsLetter)
}

// beginsPiece reports whether a text requests a new post rather than a change of the existing one.
func beginsPiece(text string) bool {
	return namesPost(text) || newPieceWords.MatchString(strings.ToLower(text))
}

// namesPost reports whether a text requests a post, such as "write an article about tea".
func namesPost(text string) bool { return newPostWords.MatchString(strings.ToLower(text)) }

package newsroom

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// What those that are simulated, and know no label, understand of a request: how many
// pictures it wants, whether it says what to write about, and whether it begins a new
// piece.

var (
	numbered   = regexp.MustCompile(`([0-9]{1,2}|[一两二三四五六七八九十]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten)\b)\s*(?:张|幅|(?:more\s+)?(?:pictures?|pics?|photos?|images?|illustrations?)\b)`)
	pictured   = regexp.MustCompile(`图|照片|插画|\b(?:pictures?|pics?|photos?|images?|illustrat)`)
	unpictured = regexp.MustCompile(`[不别无没]有?(?:需要|要|用|必)?[配放加带]?图|图片?就?(?:算了|不要)|只要(?:文|字)|text only|\b(?:no|without)\s+(?:any\s+)?(?:pictures?|pics?|photos?|images?)`)
	filler     = regexp.MustCompile(`帮我|给我|替我|我想要?|我要|麻烦|能不能|可不可以|可以|随便|随意|生成|什么|东西|内容|文章|笔记|帖子|推文|文案|稿子|图文|看着办|都行|都可以|你好|您好|哈喽|在吗|谢谢|早上好|晚上好|小红书|公众号|朋友圈|知乎|微博|[0-9一两二三四五六七八九十几]*\s*张?图片?|[请写做搞整来弄发出配一下点些篇个条段嗨你定吧呢啊呀吗了的就先再]|` +
		`\b(?:hi|hello|hey|there|please|help|me|can|could|you|i|want|need|to|write|make|create|draft|do|a|an|the|some|any|something|anything|whatever|post|article|piece|note|for|with|thanks|one|two|three|[0-9]+|pictures?|photos?|images?)\b`)
	anew = regexp.MustCompile(`[写来做出发]一?[篇条份]|写一?个.*(?:笔记|文章|帖子|推文|文案|攻略)|[换另]一?个?(?:题目|主题|话题)|\b(?:write|draft|make|create|do)\s+(?:me\s+)?(?:an?|another)\s|\b(?:an?|another)\s+(?:new\s+)?(?:post|article|piece|newsletter|carousel)\s+(?:on|about|for)\b|\bnew topic\b`)
)

// defaultImages is how many are made where no number is said.
const defaultImages = 2

var numbers = map[string]int{"一": 1, "两": 2, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10,
	"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}

// countImages is the number of pictures that a text names last, no more than are
// painted in a visit; 0: it names none.
func countImages(text string) (n int) {
	for _, m := range numbered.FindAllStringSubmatch(strings.ToLower(text), -1) {
		digits, _ := strconv.Atoi(m[1]) // 0 for a word
		n = min(cmp.Or(numbers[m[1]], digits), mostCalls)
	}
	return n
}

// wantsImages tells whether a text asks for pictures.
func wantsImages(text string) bool {
	text = strings.ToLower(text)
	return pictured.MatchString(text) && !unpictured.MatchString(text)
}

// hasTopic tells whether a text says what to write about.
func hasTopic(text string) bool {
	return strings.ContainsFunc(filler.ReplaceAllString(strings.ToLower(text), ""), unicode.IsLetter)
}

// beginsPiece tells whether a text asks for another piece, and not for a change of
// the one that is there.
func beginsPiece(text string) bool { return anew.MatchString(strings.ToLower(text)) }

package companion

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxWords limits the words in a query, maxWord the characters in a word.
const (
	maxWords = 8
	maxWord  = 40
)

// fillers matches Chinese words of a question that do not describe its topic.
var fillers = regexp.MustCompile(`我们|咱们|咱俩|你们|他们|她们|大家|自己|还记得|记不记得|记得|有印象|印象|之前|以前|过去|上次|上回|那次|那天|那会儿?|当时|后来|最后|刚才|` +
	`那[个家件种首本部条款]|这[个家件种些]|什么时候|什么|为什么|怎么样?|怎样|哪[里儿个家天次些件]|多少|几[个次点号]|` +
	`不是|是不是|有没有|没有|讨论|发生|提到过?|提过|说过|说的|说到|聊过|聊的|聊到|聊|告诉|知道|想起来?|想不起来|忘了|忘记|查询|查找|搜索|查一?下|找一?下|帮我|帮忙|一下|来着|叫啥|叫什么|名字|关于|事情|好像|应该|到底|` +
	`[我你您他她它咱是的了吗呢吧啊呀嘛么哦诶哎啥说过跟和都也就又再才很]`)

// stopWords are English words of a question that do not describe its topic.
var stopWords = strings.Fields(
	`a about again all am an and any anything are as ask at back be been before but by can chat conversation could did do does doing
	each else ever every for from had has have he her him his how i if in into is it its just know last leave left like look me mention mentioned more my name not of off on once
	or our out over please previously recall remember remind said say search she should so some something still talk talked tell than that the their them then there these they
	thing things this those time to told too up us used was we were what when where which who whose why will with would yes you your discuss discussed happened happen call called`)

// wordsOf returns the words of a message that describe its topic, in order. The message must not
// contain dates. Words of one character are returned only if there are no others: 猫呢.
func wordsOf(message string) []string {
	var words, short []string
	for chunk := range strings.FieldsFuncSeq(strings.ToLower(message),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && r != '\'' }) {
		for word := range strings.FieldsSeq(splitWords(chunk)) {
			switch n := utf8.RuneCountInString(word); {
			case n > maxWord || slices.Contains(stopWords, strings.TrimSuffix(word, "'s")) ||
				slices.Contains(words, word) || len(words) == maxWords:
			case n > 1:
				words = append(words, word)
			case unicode.Is(unicode.Han, []rune(word)[0]) && len(short) < maxWords:
				short = append(short, word)
			}
		}
	}
	if len(words) == 0 {
		return short
	}
	return words
}

// splitWords replaces fillers by spaces and separates Chinese characters from other letters.
func splitWords(chunk string) string {
	var b strings.Builder
	var before bool
	for i, r := range fillers.ReplaceAllString(chunk, " ") {
		han := unicode.Is(unicode.Han, r)
		if i > 0 && han != before {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
		before = han
	}
	return b.String()
}

package dates

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxTextBytes limits the part of a text that is searched for dates.
const maxTextBytes = 4096

// normalizedText is a text prepared for the patterns: in lower case and half width, without spaces
// between numbers and Chinese characters. at maps its byte positions to those in the original text.
type normalizedText struct {
	text string
	at   []int
}

func normalizeText(text string) normalizedText {
	if len(text) > maxTextBytes {
		cut := maxTextBytes
		for cut > 0 && !utf8.RuneStart(text[cut]) {
			cut--
		}
		text = text[:cut]
	}
	var b strings.Builder
	b.Grow(len(text))
	at := make([]int, 0, len(text)+1)
	var last rune
	for i, r := range text {
		if r = fold(r); r == ' ' {
			next, _ := utf8.DecodeRuneInString(text[i+1:])
			if next = fold(next); isDigit(last) && unicode.Is(unicode.Han, next) || unicode.Is(unicode.Han, last) &&
				isDigit(next) {
				continue
			}
		}
		b.WriteRune(r)
		for len(at) < b.Len() {
			at = append(at, i)
		}
		last = r
	}
	return normalizedText{text: b.String(), at: append(at, len(text))}
}

// fold converts a character to lower case, half width and, if dates use it, simplified Chinese.
func fold(r rune) rune {
	switch {
	case r < utf8.RuneSelf:
		return unicode.ToLower(r)
	case r >= '！' && r <= '～':
		return unicode.ToLower(r - '！' + '!')
	}
	if p, ok := simplified[r]; ok {
		return p
	}
	return r
}

var simplified = map[rune]rune{
	'　': ' ', '\u00a0': ' ', '’': '\'', '–': '-', '—': '-', '―': '-', '−': '-', '〜': '~', '〇': '零', '兩': '两', '個': '个',
	'號': '号', '週': '周', '禮': '礼',
	'這': '这', '後': '后', '從': '从', '過': '过', '還': '还', '兒': '儿', '間': '间', '現': '现', '開': '开', '當': '当', '幾': '几',
	'時': '时', '內': '内', '裡': '里', '來': '来',
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' }

func isLatin(r rune) bool { return r >= 'a' && r <= 'z' || isDigit(r) || r == '_' }

const hanDigits = "零一二三四五六七八九"

// number parses an integer in digits or words: 12, 十二, 两, two, 2024 and 二零二四. It returns -1 for
// other text, such as 三四.
func number(text string) int {
	if n, ok := englishNumbers[strings.TrimPrefix(text, "a ")]; ok {
		return n
	}
	total, digit, digits := 0, -1, 0
	for _, r := range text {
		switch at := strings.IndexRune(hanDigits, r); {
		case isDigit(r):
			digit, digits = max(digit, 0)*10+int(r-'0'), digits+1
		case r == '两':
			digit, digits = 2, digits+1
		case at >= 0:
			digit, digits = max(digit, 0)*10+at/len("零"), digits+1
		case r == '十' && digits <= 1:
			total, digit, digits = total+10*tens(digit), -1, 0
		default:
			return -1
		}
	}
	if text == "" || digits > 4 || total > 0 && digits > 1 || digits > 1 && digits < 4 && !isDigit(rune(text[0])) {
		return -1
	}
	return total + max(digit, 0)
}

func tens(digit int) int {
	if digit < 0 {
		return 1
	}
	return digit
}

// ordinals are the English ordinal numbers of the days of a month.
var ordinals = strings.Fields(`first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth
	thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second
	twenty-third twenty-fourth twenty-fifth twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first`)

// ordinal returns the number of an English ordinal; "last" is -1, and other words are 0.
func ordinal(word string) int {
	if word == "last" {
		return -1
	}
	return slices.Index(ordinals, word) + 1
}

var englishNumbers = map[string]int{
	"a": 1, "an": 1, "one": 1, "couple": 2, "couple of": 2, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6,
	"seven": 7, "eight": 8, "nine": 9, "ten": 10,
	"eleven": 11, "twelve": 12, "fourteen": 14, "fifteen": 15, "twenty": 20, "thirty": 30,
}

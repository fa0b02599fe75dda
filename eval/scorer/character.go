package scorer

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// qualifiers are what may stand before a noun without becoming a part of it: a
// number with its measure word, then size, age, sex, build and colour. These
// classes are closed; words of any other kind (熊, 布偶, 机器) make another word.
var qualifiers = regexp.MustCompile(`^(?:[0-9一二两三四五六七八九十百千万几数半多双单各每这那某]+` +
	`[个只条匹头尾位名口座盏把朵片张枚颗块根艘辆架台幅群对排束棵株件顶扇面本杯碗盘碟串瓶篮堆桌组轮道滴间栋幢支枝册叶]?)?` +
	`(?:[小大巨老幼公母雌雄男女胖肥瘦高矮长短圆方深浅红橙橘黄绿青蓝紫粉白黑灰棕褐金银花彩]色?)*$`)

// isCharacter tells a word of one Chinese character.
func isCharacter(word string) bool {
	r, n := utf8.DecodeRuneInString(word)
	return n == len(word) && unicode.Is(unicode.Han, r)
}

// stands tells whether the character is a word of its own in one of the phrases
// of a text.
func stands(text, character string) bool {
	for _, phrase := range strings.FieldsFunc(text, between) {
		if isHead(phrase, character) {
			return true
		}
	}
	return false
}

// between tells what parts phrases: all but Chinese and digits, and the words
// that join (猫和狗) or place (猫在窗台上).
func between(r rune) bool {
	return alphabetic(r) || !unicode.IsLetter(r) && !unicode.IsNumber(r) || strings.ContainsRune("和与跟及或在", r)
}

// isHead tells a phrase whose noun, the part behind 的, is the character, single or
// doubled (狗狗), with nothing but qualifiers before it and an ending that leaves
// the meaning (兔子, 鸟儿, 猫咪). 猫的爪子 is no 猫.
func isHead(phrase, character string) bool {
	parts := strings.Split(strings.TrimSuffix(phrase, "的"), "的")
	noun := parts[len(parts)-1]
	before, ok := strings.CutSuffix(strings.TrimRight(noun, "子儿们咪"), character)
	return ok && qualifiers.MatchString(strings.TrimSuffix(before, character))
}

package scorer

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// qualifiers are the words that may precede a noun without becoming part of it: a number with its
// measure word, then size, age, sex, build and color. These classes are closed. Words of any other
// kind (熊, 布偶, 机器) form another word.
var qualifiers = regexp.MustCompile(`^(?:[0-9一二两三四五六七八九十百千万几数半多双单各每这那某]+` +
	`[个只条匹头尾位名口座盏把朵片张枚颗块根艘辆架台幅群对排束棵株件顶扇面本杯碗盘碟串瓶篮堆桌组轮道滴间栋幢支枝册叶]?)?` +
	`(?:[小大巨老幼公母雌雄男女胖肥瘦高矮长短圆方深浅红橙橘黄绿青蓝紫粉白黑灰棕褐金银花彩]色?)*$`)

// isCharacter reports whether word is one Chinese character.
func isCharacter(word string) bool {
	r, n := utf8.DecodeRuneInString(word)
	return n == len(word) && unicode.Is(unicode.Han, r)
}

// hasCharacterWord reports whether the character is a separate word in a phrase of the text.
func hasCharacterWord(text, character string) bool {
	for _, phrase := range strings.FieldsFunc(text, isPhraseSeparator) {
		if isHead(phrase, character) {
			return true
		}
	}
	return false
}

// isPhraseSeparator reports whether r separates phrases: everything except Chinese and digits, and
// words that join (猫和狗) or locate (猫在窗台上).
func isPhraseSeparator(r rune) bool {
	return alphabetic(r) || !unicode.IsLetter(r) && !unicode.IsNumber(r) || strings.ContainsRune("和与跟及或在", r)
}

// isHead reports whether the noun of a phrase (the part after 的) is the character, single or
// doubled (狗狗). Only qualifiers may precede it, and only endings without meaning (兔子, 鸟儿, 猫咪) may
// follow. 猫的爪子 is not 猫.
func isHead(phrase, character string) bool {
	parts := strings.Split(strings.TrimSuffix(phrase, "的"), "的")
	noun := parts[len(parts)-1]
	before, ok := strings.CutSuffix(strings.TrimRight(noun, "子儿们咪"), character)
	return ok && qualifiers.MatchString(strings.TrimSuffix(before, character))
}

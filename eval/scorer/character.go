package scorer

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// qualifiers matches what may precede a Chinese noun without making it another noun: a number with
// its measure word, then size, age, sex, build and color. Any other word before the noun, such as
// 布偶 or 机器, makes it another one.
var qualifiers = regexp.MustCompile(`^(?:[0-9一二两三四五六七八九十百千万几数半多双单各每这那某]+` +
	`[个只条匹头尾位名口座盏把朵片张枚颗块根艘辆架台幅群对排束棵株件顶扇面本杯碗盘碟串瓶篮堆桌组轮道滴间栋幢支枝册叶]?)?` +
	`(?:[小大巨老幼公母雌雄男女胖肥瘦高矮长短圆方深浅红橙橘黄绿青蓝紫粉白黑灰棕褐金银花彩]色?)*$`)

// isCharacter reports whether the word is a single Chinese character.
func isCharacter(word string) bool {
	r, n := utf8.DecodeRuneInString(word)
	return n == len(word) && unicode.Is(unicode.Han, r)
}

// hasCharacterWord reports whether a single Chinese character is a word of its own in the text. 熊猫
// does not contain the word 猫.
func hasCharacterWord(text, character string) bool {
	for _, phrase := range strings.FieldsFunc(text, isPhraseSeparator) {
		if isHead(phrase, character) {
			return true
		}
	}
	return false
}

// isPhraseSeparator reports whether r separates phrases. Separators are everything except Chinese
// characters and digits, and the words 和, 与, 跟, 及, 或 (and, or) and 在 (at).
func isPhraseSeparator(r rune) bool {
	return alphabetic(r) || !unicode.IsLetter(r) && !unicode.IsNumber(r) || strings.ContainsRune("和与跟及或在", r)
}

// isHead reports whether the noun of a Chinese phrase is the character, single or doubled (狗狗). The
// noun is the part after the last 的, so the noun of 猫的爪子 is not 猫. Only qualifiers may precede the
// character, and only endings without meaning may follow it (兔子, 鸟儿, 猫咪).
func isHead(phrase, character string) bool {
	parts := strings.Split(strings.TrimSuffix(phrase, "的"), "的")
	noun := parts[len(parts)-1]
	before, ok := strings.CutSuffix(strings.TrimRight(noun, "子儿们咪"), character)
	return ok && qualifiers.MatchString(strings.TrimSuffix(before, character))
}

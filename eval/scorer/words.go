package scorer

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"evalctl/eval"
)

// containsAccepted reports whether a value equals or contains an accepted word. It ignores case and
// width, and spaces in Chinese. The empty word must match exactly. An alphabetic word must be a
// whole word or its plural: pink does not contain ink. A single Chinese character must be a word:
// 熊猫 does not contain 猫.
func containsAccepted(got string, want eval.OneOf) bool {
	got = fold(got)
	for _, w := range want {
		w = fold(w)
		switch {
		case w == got:
			return true
		case w == "":
		case isCharacter(w):
			if hasCharacterWord(got, w) {
				return true
			}
		case contains(got, w):
			return true
		case !strings.ContainsFunc(w, alphabetic) &&
			strings.Contains(strings.ReplaceAll(got, " ", ""), strings.ReplaceAll(w, " ", "")):
			return true
		}
	}
	return false
}

func fold(text string) string {
	return strings.Join(strings.Fields(strings.ToLower(norm.NFKC.String(text))), " ")
}

// contains reports whether the text contains the word or its plural, between word boundaries.
func contains(text, word string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return false
		}
		begin, end := from+i, from+i+len(word)
		if !joined(text, begin) && (!joined(text, end) || plural(text, end)) {
			return true
		}
		from = begin + 1
	}
}

// joined reports whether the characters before and after position i are both alphabetic letters.
func joined(text string, i int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	after, _ := utf8.DecodeRuneInString(text[i:])
	return alphabetic(before) && alphabetic(after)
}

func alphabetic(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
	}
	return unicode.IsLetter(r) && !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

// plural reports whether the word that ends at position i is followed by a plural ending and then
// by no other letter.
func plural(text string, i int) bool {
	for _, ending := range []string{"s", "es"} {
		if strings.HasPrefix(text[i:], ending) && !joined(text, i+len(ending)) {
			return true
		}
	}
	return false
}

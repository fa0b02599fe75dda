package knowledge

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// run is a sequence of Chinese characters, or one alphabetic word with its digits.
type run struct {
	runes   []rune
	chinese bool
}

// normalizedRuns splits a text into normalized runs for comparison: lower case, half width,
// simplified script, without accents and apostrophes. Other punctuation separates runs.
func normalizedRuns(text string) []run {
	var runs []run
	open := false // the next character can extend the last run
	for _, r := range ToSimplifiedChinese(norm.NFKD.String(text)) {
		switch {
		case isAccent(r) || r == '\'' || r == '’':
		case !unicode.IsLetter(r) && !unicode.IsNumber(r):
			open = false
		default:
			chinese := isChinese(r)
			if !open || runs[len(runs)-1].chinese != chinese {
				runs = append(runs, run{chinese: chinese})
				open = true
			}
			last := &runs[len(runs)-1]
			last.runes = append(last.runes, unicode.ToLower(r))
		}
	}
	return runs
}

// isAccent reports whether r is an accent to remove. The voice marks of Japanese are not.
func isAccent(r rune) bool { return r >= 0x300 && r <= 0x36f }

// isChinese reports whether r belongs to Chinese or Japanese script, which do not separate words.
func isChinese(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || strings.ContainsRune("ー々〆", r)
}

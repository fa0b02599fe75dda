package knowledge

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// run is a sequence of Chinese characters, or one alphabetic word including digits.
type run struct {
	runes   []rune
	chinese bool
}

// fold normalizes a text for comparison: lower case, half width, simplified script, no accents or
// apostrophes. All other marks separate runs.
func fold(text string) []run {
	var runs []run
	open := false // the last run can be extended
	for _, r := range Simplified(norm.NFKD.String(text)) {
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

// isAccent does not include the voice marks of Japanese.
func isAccent(r rune) bool { return r >= 0x300 && r <= 0x36f }

// isChinese includes Japanese scripts, which do not separate words either.
func isChinese(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || strings.ContainsRune("ー々〆", r)
}

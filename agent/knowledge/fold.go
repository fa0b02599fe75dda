package knowledge

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// run is what stands together in a text: Chinese characters, or one word of
// an alphabet, digits included.
type run struct {
	runes   []rune
	chinese bool
}

// fold brings a text into the form in which it is compared: lower case, half
// width, simplified script, no accents, no apostrophes; all other marks part its runs.
func fold(text string) []run {
	var runs []run
	open := false // whether the last run can still grow
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

// isAccent leaves the voice marks of Japanese alone.
func isAccent(r rune) bool { return r >= 0x300 && r <= 0x36f }

// isChinese includes the scripts of Japanese: neither parts its words.
func isChinese(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || strings.ContainsRune("ー々〆", r)
}

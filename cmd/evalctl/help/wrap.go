package help

import (
	"strings"
	"unicode"

	"github.com/clipperhouse/displaywidth"
)

// noBreak stands for a blank at which no line ends.
const noBreak = "\u00a0"

// unspaced keeps what is marked as code or as strong on one line: it would lose its
// marks, and a command its form.
func unspaced(text string) string {
	return spanned.ReplaceAllStringFunc(text, func(part string) string { return strings.ReplaceAll(part, " ", noBreak) })
}

// columns is how wide a text is, without the marks that are taken off.
func columns(text string) int {
	text = spanned.ReplaceAllStringFunc(text, func(part string) string { return strings.Trim(part, "`*") })
	return displaywidth.Options{}.String(text)
}

// wrap breaks a text into lines of at most so many columns: at blanks, and between
// Chinese characters, which have none. A word that is wider has a line of its own.
func wrap(text string, width int) (lines []string) {
	line := ""
	for _, piece := range pieces(text) {
		if line != "" && columns(strings.TrimRight(line+piece, " ")) > width {
			lines = append(lines, strings.TrimRight(line, " "))
			line = ""
		}
		if line == "" {
			piece = strings.TrimLeft(piece, " ")
		}
		line += piece
	}
	return append(lines, strings.TrimRight(line, " "))
}

// pieces are the shortest parts of a text between which a line may end: a word with the
// blanks behind it, or a Chinese character with the punctuation that follows it.
func pieces(text string) (list []string) {
	begin, inSpan := 0, false
	runes := []rune(text)
	for i := 1; i < len(runes); i++ {
		before, at := runes[i-1], runes[i]
		if before == '`' {
			inSpan = !inSpan
		}
		blank := before == ' ' && at != ' '
		between := !inSpan && (unicode.Is(unicode.Han, at) || unicode.Is(unicode.Han, before)) && !clings(at) && !opens(before) && at != ' '
		if blank || between {
			list = append(list, string(runes[begin:i]))
			begin = i
		}
	}
	return append(list, string(runes[begin:]))
}

// clings tells a character that begins no line, opens one that ends none.
func clings(r rune) bool {
	return strings.ContainsRune("，。、；：？！）》」』”’…)],.;:?!*", r)
}
func opens(r rune) bool { return strings.ContainsRune("（《「『“‘([*", r) }

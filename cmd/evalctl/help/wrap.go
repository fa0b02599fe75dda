package help

import (
	"strings"
	"unicode"

	"github.com/clipperhouse/displaywidth"
)

// noBreak is the no-break space. wrap does not break a line at it.
const noBreak = "\u00a0"

// withoutBreaks replaces the spaces in code and strong text by noBreak. Otherwise a line break
// could separate the start of the markup from its end.
func withoutBreaks(text string) string {
	return spanned.ReplaceAllStringFunc(text,
		func(part string) string { return strings.ReplaceAll(part, " ", noBreak) })
}

// columns returns the width of a text on the terminal, in columns, without its markup. A Chinese
// character takes two columns.
func columns(text string) int {
	text = spanned.ReplaceAllStringFunc(text, func(part string) string { return strings.Trim(part, "`*") })
	return displaywidth.Options{}.String(text)
}

// wrap breaks a text into lines of at most width columns, at spaces and between Chinese characters.
// A word that is wider than a line is not split.
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

// pieces splits a text wherever a line may be broken. A piece is a word with the spaces after it,
// or a Chinese character with the punctuation after it.
func pieces(text string) (list []string) {
	begin, inSpan := 0, false
	runes := []rune(text)
	for i := 1; i < len(runes); i++ {
		before, at := runes[i-1], runes[i]
		if before == '`' {
			inSpan = !inSpan
		}
		blank := before == ' ' && at != ' '
		between := !inSpan && (unicode.Is(unicode.Han, at) || unicode.Is(unicode.Han, before)) &&
			!neverStartsLine(at) && !neverEndsLine(before) && at != ' '
		if blank || between {
			list = append(list, string(runes[begin:i]))
			begin = i
		}
	}
	return append(list, string(runes[begin:]))
}

// neverStartsLine reports whether a character, such as a closing bracket, must not begin a line.
func neverStartsLine(r rune) bool {
	return strings.ContainsRune("，。、；：？！）》」』”’…)],.;:?!*", r)
}
func neverEndsLine(r rune) bool { return strings.ContainsRune("（《「『“‘([*", r) }

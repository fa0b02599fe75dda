package help

import (
	"strings"
	"unicode"

	"github.com/clipperhouse/displaywidth"
)

// noBreak is a space at which a line is not broken.
const noBreak = "\u00a0"

// withoutBreaks replaces the spaces in code and strong text by noBreak. A line break would separate
// the markup from its text.
func withoutBreaks(text string) string {
	return spanned.ReplaceAllStringFunc(text,
		func(part string) string { return strings.ReplaceAll(part, " ", noBreak) })
}

// columns is the display width of a text without its markup.
func columns(text string) int {
	text = spanned.ReplaceAllStringFunc(text, func(part string) string { return strings.Trim(part, "`*") })
	return displaywidth.Options{}.String(text)
}

// wrap breaks a text into lines of at most width columns, at spaces and between Chinese characters.
// A wider word gets its own line.
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

// pieces splits a text at all possible line breaks. A piece is a word with the following spaces, or
// a Chinese character with the following punctuation.
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

// neverStartsLine reports whether a character must not begin a line. opens reports whether it must
// not end one.
func neverStartsLine(r rune) bool {
	return strings.ContainsRune("，。、；：？！）》」』”’…)],.;:?!*", r)
}
func neverEndsLine(r rune) bool { return strings.ContainsRune("（《「『“‘([*", r) }

package visible

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
)

// Ellipsis replaces omitted text.
const Ellipsis = "…"

// longName limits a label, in columns.
const longName = 80

// DisplayWidth is the width in terminal columns: two for a Chinese character, and two for an emoji
// sequence. It is independent of the locale and the environment, so that reports are the same
// everywhere.
func DisplayWidth(text string) int { return displaywidth.Options{}.String(text) }

// EscapeLine turns any text into one safe line. White space becomes a space, and control characters
// become visible symbols.
func EscapeLine(text string) string {
	return withMarkBase(strings.Map(func(r rune) rune {
		switch r {
		case '\n', '\t', '\r', '\u2028', '\u2029':
			return ' '
		}
		return ControlSymbol(r)
	}, strings.ToValidUTF8(text, "\ufffd")))
}

// withMarkBase adds a dotted circle below combining marks that follow a space. Otherwise they would
// change the width of the gap.
func withMarkBase(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return r >= '\u0300' }) {
		return text
	}
	var out strings.Builder
	for c := (displaywidth.Options{}).StringGraphemes(" " + text); c.Next(); {
		first, size := utf8.DecodeRuneInString(c.Value())
		out.WriteRune(first)
		if unicode.IsSpace(first) && size < len(c.Value()) {
			out.WriteRune('◌')
		}
		out.WriteString(c.Value()[size:])
	}
	return out.String()[1:]
}

// Truncate cuts a text to at most n columns, including the ellipsis.
func Truncate(text string, n int) string {
	return displaywidth.Options{}.TruncateString(text, n, Ellipsis)
}

// VisibleName returns a label as one short line, or "(none)" if it is empty.
func VisibleName(label string) string { return Truncate(EscapeLine(cmp.Or(label, "(none)")), longName) }

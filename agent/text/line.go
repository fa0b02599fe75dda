package text

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
)

// Ellipsis replaces omitted text.
const Ellipsis = "…"

const longName = 80

// DisplayWidth returns the width of a text in terminal columns. A Chinese character and an emoji
// sequence have two. The result does not depend on the locale, so that reports are the same
// everywhere.
func DisplayWidth(text string) int { return displaywidth.Options{}.String(text) }

// EscapeLine converts any text to one line that is safe for a terminal. White space becomes a
// space, and control characters become visible symbols.
func EscapeLine(text string) string {
	return withMarkBase(strings.Map(func(r rune) rune {
		switch r {
		case '\n', '\t', '\r', '\u2028', '\u2029':
			return ' '
		}
		return ControlSymbol(r)
	}, strings.ToValidUTF8(text, "\ufffd")))
}

// withMarkBase inserts a dotted circle before combining marks that follow a space. They would
// otherwise combine with the space and change the width of the gap.
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

// Truncate shortens a text to at most n columns, including the ellipsis.
func Truncate(text string, n int) string {
	return displaywidth.Options{}.TruncateString(text, n, Ellipsis)
}

// EscapeLabel returns a name as one short line without control characters, or "(none)" if it is
// empty.
func EscapeLabel(label string) string { return Truncate(EscapeLine(cmp.Or(label, "(none)")), longName) }

package visible

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
)

// Ellipsis stands for what was left out.
const Ellipsis = "…"

// longName is how many columns of a label are shown.
const longName = 80

// DisplayWidth measures in columns of a terminal: of a Chinese character two, of
// a family of emoji two, too. It asks neither the locale nor the environment,
// so that a report is the same everywhere.
func DisplayWidth(text string) int { return displaywidth.Options{}.String(text) }

// EscapeLine makes a text of any origin one harmless line: white space becomes a
// space, and what would steer a terminal a visible sign.
func EscapeLine(text string) string {
	return settled(strings.Map(func(r rune) rune {
		switch r {
		case '\n', '\t', '\r', '\u2028', '\u2029':
			return ' '
		}
		return ControlSymbol(r)
	}, strings.ToValidUTF8(text, "\ufffd")))
}

// settled gives marks that join the character before them a circle to stand
// on where there is none: on a blank they would change the width of a gap.
func settled(text string) string {
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

// Truncate cuts a text to at most n columns, the ellipsis included.
func Truncate(text string, n int) string {
	return displaywidth.Options{}.TruncateString(text, n, Ellipsis)
}

// VisibleName makes the empty label visible, and one short line of any other.
func VisibleName(label string) string { return Truncate(EscapeLine(cmp.Or(label, "(none)")), longName) }

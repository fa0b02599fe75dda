// Package visible makes text of any origin harmless to a terminal: what would
// steer it becomes a sign that can be seen.
package visible

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// IsControl tells whether a character acts on a terminal instead of showing:
// control characters of both sets, line ends included, those that turn the
// reading direction, and those that hide: they take no column, and what is
// written with them nobody sees. Joiners and selectors of emoji are none of them.
func IsControl(r rune) bool {
	return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || unicode.Is(unicode.Bidi_Control, r) || hides(r)
}

// hides tells zero-width spaces and joiners of words, byte order marks and tags.
func hides(r rune) bool {
	return r == '\u200b' || r >= '\u2060' && r <= '\u2064' || r == '\ufeff' || r >= 0xe0000 && r <= 0xe007f
}

// ControlSymbol is the character itself where it is harmless, and stands for it where it
// is not.
func ControlSymbol(r rune) rune {
	switch {
	case r < ' ':
		return '\u2400' + r // ␛ and its like
	case r == 0x7f:
		return '\u2421'
	case IsControl(r):
		return utf8.RuneError
	}
	return r
}

// Escape is a text in which all that steers can be seen: control characters as their
// signs, what turns the reading direction or hides as [U+202E].
func Escape(text string) string { return shown(text, "") }

// EscapeMultiline is the same, of a text that may have lines and tabs of its own.
func EscapeMultiline(text string) string { return shown(text, "\n\t") }

func shown(text, kept string) string {
	if strings.IndexFunc(text, IsControl) < 0 && utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		switch sign := ControlSymbol(r); {
		case strings.ContainsRune(kept, r):
			b.WriteRune(r)
		case sign == utf8.RuneError && r != utf8.RuneError:
			fmt.Fprintf(&b, "[U+%04X]", r)
		default:
			b.WriteRune(sign)
		}
	}
	return b.String()
}

// Excerpt is as much of a text's first characters, and that there is more.
func Excerpt(text string, most int) string {
	n := 0
	for at := range text {
		if n == most {
			return Escape(text[:at]) + "…"
		}
		n++
	}
	return Escape(text)
}

// Package visible makes text of any origin harmless to a terminal: what would
// steer it becomes a sign that can be seen.
package visible

import (
	"unicode"
	"unicode/utf8"
)

// Steers tells whether a character acts on a terminal instead of showing:
// control characters of both sets, line ends included, and those that turn the
// reading direction.
func Steers(r rune) bool {
	return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || unicode.Is(unicode.Bidi_Control, r)
}

// Sign is the character itself where it is harmless, and stands for it where it
// is not.
func Sign(r rune) rune {
	switch {
	case r < ' ':
		return '\u2400' + r // ␛ and its like
	case r == 0x7f:
		return '\u2421'
	case Steers(r):
		return utf8.RuneError
	}
	return r
}

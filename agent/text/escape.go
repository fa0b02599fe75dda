// Package text measures, shortens, wraps and escapes texts for terminals. Escaping replaces control
// characters with visible symbols.
package text

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// IsControl reports whether a character controls a terminal or is invisible. These are C0 and C1
// controls, line ends, bidirectional controls, and zero-width characters that can hide text. Emoji
// joiners and variation selectors are not among them.
func IsControl(r rune) bool {
	return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || unicode.Is(unicode.Bidi_Control, r) ||
		isInvisible(r)
}

// isInvisible reports whether a character is a zero-width space, a word joiner, a byte order mark
// or a tag character.
func isInvisible(r rune) bool {
	return r == '\u200b' || r >= '\u2060' && r <= '\u2064' || r == '\ufeff' || r >= 0xe0000 && r <= 0xe007f
}

// ControlSymbol returns the visible symbol for a control character, such as ␛. It returns other
// characters unchanged.
func ControlSymbol(r rune) rune {
	switch {
	case r < ' ':
		return '\u2400' + r // Unicode has a symbol for each of these, such as ␛
	case r == 0x7f:
		return '\u2421'
	case IsControl(r):
		return utf8.RuneError
	}
	return r
}

// Escape replaces control characters with visible symbols. Bidirectional and invisible characters
// become their code, such as [U+202E].
func Escape(text string) string { return escape(text, "") }

// EscapeMultiline escapes a text like [Escape], but preserves line ends and tabs.
func EscapeMultiline(text string) string { return escape(text, "\n\t") }

func escape(text, kept string) string {
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

// Excerpt returns the first characters of a text, escaped, and an ellipsis if there are more than
// most.
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

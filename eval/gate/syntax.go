package gate

import (
	"fmt"
	"strings"
	"unicode"
)

// SyntaxError says what is wrong with a rule, and where.
type SyntaxError struct {
	Rule    string
	Offset  int // of the place in Rule, in bytes
	Problem string
}

// Error shows the rule with a caret under the place:
//
//	gate rule: want >=, >, <=, <, == or !=
//	    route.accuracy = 90%
//	                   ^
func (e *SyntaxError) Error() string {
	at := min(max(e.Offset, 0), len(e.Rule))
	return fmt.Sprintf("gate rule: %s\n    %s\n    %s^", e.Problem, onOneLine(e.Rule), blank(e.Rule[:at]))
}

// onOneLine replaces what would move the caret.
func onOneLine(text string) string {
	return strings.Map(func(c rune) rune {
		if !unicode.IsPrint(c) {
			return ' '
		}
		return c
	}, text)
}

// blank is as wide on a terminal as the text: East Asian characters take two columns,
// as the ideographic space does, and combining marks none.
func blank(text string) string {
	var b strings.Builder
	for _, c := range text {
		switch {
		case unicode.In(c, unicode.Mn, unicode.Me):
		case isWide(c):
			b.WriteRune('\u3000')
		default:
			b.WriteByte(' ')
		}
	}
	return b.String()
}

func isWide(c rune) bool {
	return unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) ||
		(c >= 0x3001 && c <= 0x303f) || (c >= 0xff01 && c <= 0xff60)
}

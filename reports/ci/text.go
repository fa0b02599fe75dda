package ci

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"evalctl/reports/visible"
)

// How much of a text from outside is told, in characters. A name that differs
// only further on is numbered.
const (
	longName = 200
	longText = 2_000
)

const ellipsis = "…"

// name is a text of any origin as one harmless line that is not long.
func name(text string) string { return oneLine(text, longName) }

// oneLine makes white space a space, and what would steer a terminal a sign.
func oneLine(text string, most int) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '\n', '\t', '\r', '\u2028', '\u2029':
			return ' '
		}
		return sign(r)
	}, short(text, most))
}

// lines leaves line ends as they are.
func lines(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' {
			return r
		}
		return sign(r)
	}, text)
}

// sign is harmless, and a character of XML 1.0.
func sign(r rune) rune {
	if r == '\ufffe' || r == '\uffff' {
		return utf8.RuneError
	}
	return visible.ControlSymbol(r)
}

// short cuts a text to at most so many characters, the ellipsis included, and
// mends what is no UTF-8.
func short(text string, most int) string {
	if len(text) > most {
		n := 0
		for at := range text {
			if n++; n == most {
				if _, size := utf8.DecodeRuneInString(text[at:]); at+size < len(text) {
					text = text[:at] + ellipsis
				}
				break
			}
		}
	}
	return strings.ToValidUTF8(text, "\ufffd")
}

// names tells texts apart that are alike once they are harmless and short.
type names map[string]int

func (n names) of(text string) string {
	text = name(text)
	base := short(text, longName-len(" (1000000)"))
	one := text
	for n[one] > 0 {
		n[text]++
		one = base + " (" + strconv.Itoa(n[text]) + ")"
	}
	n[one]++
	return one
}

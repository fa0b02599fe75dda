package ci

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"evalctl/agent/text"
)

// Maximum lengths of names and texts in all formats, in characters. Names that become equal by
// truncation get a number.
const (
	longName = 200
	longText = 2_000
)

const ellipsis = "…"

// name returns any name as a short line that is safe in all formats.
func name(text string) string { return oneLine(text, longName) }

// oneLine returns a text as one safe line of at most the given number of characters.
func oneLine(text string, most int) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '\n', '\t', '\r', '\u2028', '\u2029':
			return ' '
		}
		return safeRune(r)
	}, short(text, most))
}

// lines replaces unsafe characters of a text but preserves its line breaks.
func lines(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' {
			return r
		}
		return safeRune(r)
	}, text)
}

// safeRune replaces a character that is a control character or invalid in XML 1.0.
func safeRune(r rune) rune {
	if r == '\ufffe' || r == '\uffff' {
		return utf8.RuneError
	}
	return text.ControlSymbol(r)
}

// short truncates a text to at most the given number of characters, including the ellipsis. It
// replaces invalid UTF-8.
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

// names makes names unique after escaping and truncation, by appending a number.
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

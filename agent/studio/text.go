package studio

import (
	"regexp"
	"strings"
	"unicode"
)

// isNonLatin reports whether a text has a letter that is not Latin.
func isNonLatin(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) && !unicode.Is(unicode.Latin, r) })
}

// isBlank reports whether a text has no visible character.
func isBlank(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool {
		return !unicode.IsSpace(r) && !unicode.IsControl(r) && !unicode.Is(unicode.Cf, r)
	})
}

// emoji matches a letter or digit that is displayed as emoji: ℹ️, 1️⃣.
var emoji = regexp.MustCompile(`[0-9ℹ][\x{FE0F}\x{20E3}]`)

// hasWords reports whether a text has a letter or digit that is not an emoji.
func hasWords(text string) bool {
	return strings.ContainsFunc(emoji.ReplaceAllString(text, ""), func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsNumber(r)
	})
}

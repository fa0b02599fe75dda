package studio

import (
	"regexp"
	"strings"
	"unicode"
)

func isNonLatin(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) && !unicode.Is(unicode.Latin, r) })
}

// isBlank reports whether a text contains no visible character.
func isBlank(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool {
		return !unicode.IsSpace(r) && !unicode.IsControl(r) && !unicode.Is(unicode.Cf, r)
	})
}

// emoji matches a digit or letter that is displayed as an emoji, such as ℹ️ or 1️⃣.
var emoji = regexp.MustCompile(`[0-9ℹ][\x{FE0F}\x{20E3}]`)

// hasWords reports whether a text contains a letter or digit that is not displayed as an emoji.
func hasWords(text string) bool {
	return strings.ContainsFunc(emoji.ReplaceAllString(text, ""), func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsNumber(r)
	})
}

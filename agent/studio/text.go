package studio

import (
	"regexp"
	"strings"
	"unicode"
)

// inOtherScript tells a text with a letter that is not Latin.
func inOtherScript(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) && !unicode.Is(unicode.Latin, r) })
}

// blank tells a text that shows nothing.
func blank(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool {
		return !unicode.IsSpace(r) && !unicode.IsControl(r) && !unicode.Is(unicode.Cf, r)
	})
}

// emoji are the letter and the digits that can be shown as emoji: ℹ️, 1️⃣.
var emoji = regexp.MustCompile(`[0-9ℹ][\x{FE0F}\x{20E3}]`)

// hasWords tells a text with a letter or digit that is no emoji.
func hasWords(text string) bool {
	return strings.ContainsFunc(emoji.ReplaceAllString(text, ""), func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsNumber(r)
	})
}

package agent

import (
	"strings"
	"unicode"
)

// Localize returns the version of a fixed text for a user who wrote userText: the English one if
// userText contains letters but no Chinese characters, otherwise the Chinese one.
func Localize(userText, chinese, english string) string {
	isHan := func(r rune) bool { return unicode.Is(unicode.Han, r) }
	if strings.ContainsFunc(userText, unicode.IsLetter) && !strings.ContainsFunc(userText, isHan) {
		return english
	}
	return chinese
}

package toolrouter

import (
	"strings"
	"unicode"
)

func inLanguageOf(text, chinese, english string) string {
	if isChinese(text) {
		return chinese
	}
	return english
}

func isChinese(text string) bool {
	return strings.ContainsFunc(text, func(c rune) bool { return unicode.Is(unicode.Han, c) })
}

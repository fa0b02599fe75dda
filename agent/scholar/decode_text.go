package scholar

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// escapes matches terminal escape sequences, such as colors, titles and cursor movements.
var escapes = regexp.MustCompile(`\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\^_])`)

// readable returns a text without terminal escapes, control characters, invalid UTF-8 and
// surrounding space. It returns "" for a text without any letter or number.
func readable(raw string) string {
	raw = escapes.ReplaceAllString(raw, "")
	text := strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\t':
			return r
		case r == utf8.RuneError, unicode.IsControl(r), r == '\uFEFF':
			return -1
		}
		return r
	}, strings.ReplaceAll(raw, "\r\n", "\n"))
	if !strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) {
		return ""
	}
	return strings.TrimSpace(text)
}

// checkID returns an error for an invalid document ID. IDs are part of prompts and of passage IDs.
func checkID(id string) error {
	switch {
	case id == "" || len(id) > 4*longestPaper || utf8.RuneCountInString(id) > longestPaper:
		return fmt.Errorf("%.40q is not a name of a document: it has 1 to %d characters", id, longestPaper)
	case !utf8.ValidString(id) || strings.TrimSpace(id) != id || strings.ContainsAny(id, "#,") ||
		strings.ContainsFunc(id, unicode.IsControl):
		return fmt.Errorf("%.40q is not a name of a document: it has a control character, # or a comma, or a space at its ends", id)
	}
	return nil
}

// shortened truncates a text to most characters.
func shortened(s string, most int) string {
	n := 0
	for i := range s {
		if n++; n > most {
			return s[:i]
		}
	}
	return s
}

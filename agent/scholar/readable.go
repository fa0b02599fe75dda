package scholar

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// readable is what can be read of a text: without control characters, bytes that are no
// UTF-8, and space around it.
func readable(raw string) string {
	text := strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\t':
			return r
		case r == utf8.RuneError, unicode.IsControl(r), r == '\uFEFF':
			return -1
		}
		return r
	}, strings.ReplaceAll(raw, "\r\n", "\n"))
	return strings.TrimSpace(text)
}

// checkID tells what no id of a document can be: it stands in prompts and in the ids of
// passages.
func checkID(id string) error {
	switch {
	case id == "" || len(id) > 4*longestPaper || utf8.RuneCountInString(id) > longestPaper:
		return fmt.Errorf("%.40q is no name of a document: it has 1 to %d characters", id, longestPaper)
	case !utf8.ValidString(id) || strings.TrimSpace(id) != id || strings.ContainsAny(id, "#,") || strings.ContainsFunc(id, unicode.IsControl):
		return fmt.Errorf("%.40q is no name of a document: it has a control character, # or a comma, or a space at its ends", id)
	}
	return nil
}

// shortened is the beginning of a text, so many characters of it.
func shortened(s string, most int) string {
	n := 0
	for i := range s {
		if n++; n > most {
			return s[:i]
		}
	}
	return s
}

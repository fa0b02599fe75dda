package document

import (
	"regexp"
	"slices"
	"strings"
)

var bareWord = regexp.MustCompile(`^[A-Za-z0-9_./:@%+,=-]+$`)

// ShellQuote puts a word in single quotes if a POSIX shell would not read it unchanged.
func ShellQuote(word string) string {
	if bareWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// CommandLines formats a shell command that follows the text lead on a line. It continues
// a long command on the next line with a backslash. It returns nil if the command cannot be copied from a
// terminal: if there is no word, or one is empty, wider than the line, or contains control characters.
func CommandLines(lead string, words []string, width int) (lines []string) {
	if len(words) == 0 || slices.ContainsFunc(words, func(w string) bool { return escapeLine(w) != w || w == "" }) {
		return nil
	}
	indent := strings.Repeat(" ", displayWidth(lead))
	const on = ` \`
	line := lead
	for i, w := range words {
		w = ShellQuote(w)
		switch {
		case i == 0:
		case displayWidth(line+" "+w)+len(on) <= width, i == len(words)-1 && displayWidth(line+" "+w) <= width:
			w = " " + w
		default:
			lines, line = append(lines, line+on), indent
		}
		line += w
		if displayWidth(line)+len(on) > width && i < len(words)-1 || displayWidth(line) > width {
			return nil
		}
	}
	return append(lines, line)
}

package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
)

// TruncateMiddle shortens a text to n columns by omitting its middle. It is used for names, because
// these often differ at the end.
func TruncateMiddle(text string, n int) string {
	over := DisplayWidth(text) - n
	if over <= 0 {
		return text
	}
	head, _ := splitAtWidth(text, (n-1)/2)
	tail := text
	for DisplayWidth(tail) > n-1-DisplayWidth(head) && tail != "" {
		_, tail = splitAtWidth(tail, 1)
	}
	return head + Ellipsis + tail
}

// splitAtWidth splits a text into a head of at most n columns and the rest. The head has at least
// one character.
func splitAtWidth(text string, n int) (head, tail string) {
	clusters, end, used := displaywidth.Options{}.StringGraphemes(text), 0, 0
	for clusters.Next() {
		if used += clusters.Width(); used > n && end > 0 {
			break
		}
		end += len(clusters.Value())
	}
	return text[:end], text[end:]
}

// attachPunctuation corrects a line break before a closing punctuation mark: it also moves the
// Chinese character before the mark to the next line.
func attachPunctuation(head, tail string) (string, string) {
	sign, _ := utf8.DecodeRuneInString(tail)
	last, size := utf8.DecodeLastRuneInString(head)
	if unicode.Is(unicode.Han, last) && size < len(head) && strings.ContainsRune("，。、；：！？）》」』”’,.;:!?)]", sign) {
		at := len(head) - size
		return head[:at], head[at:] + tail
	}
	return head, tail
}

// PadLeft puts blanks before a text, so that it has at least n columns.
func PadLeft(text string, n int) string { return padding(text, n) + text }

// PadRight puts blanks after a text, so that it has at least n columns.
func PadRight(text string, n int) string { return text + padding(text, n) }

func padding(text string, n int) string { return strings.Repeat(" ", max(0, n-DisplayWidth(text))) }

// Wrap breaks a text between words into lines of at most n columns. It breaks a word that is longer
// than a line, such as a Chinese sentence.
func Wrap(text string, n int) []string {
	var lines []string
	line, used := "", 0
	for _, word := range strings.Fields(text) {
		size := DisplayWidth(word)
		if used > 0 && used+1+size <= n {
			line, used = line+" "+word, used+1+size
			continue
		}
		if used > 0 {
			lines = append(lines, line)
		}
		for size > n {
			head, tail := attachPunctuation(splitAtWidth(word, n))
			lines = append(lines, head)
			word, size = tail, DisplayWidth(tail)
		}
		line, used = word, size
	}
	if used > 0 || len(lines) == 0 {
		lines = append(lines, line)
	}
	return lines
}

// JoinAnd joins names with commas and, before the last one, "and".
func JoinAnd(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

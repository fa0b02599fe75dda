package index

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// Ends of what a section is made of.
var (
	paragraphEnd = regexp.MustCompile(`\n[ \t\r]*\n\s*`)
	sentenceEnd  = regexp.MustCompile(`[。！？；…]+[”’」』）)]*\s*|[.!?;]+["')]*\s+|\n\s*`)
)

// levels are the ways in which a text is taken apart, the coarsest first. What they give
// is the whole text.
func levels(count func(string) int) []func(string) []string {
	return []func(string) []string{
		func(s string) []string { return after(s, paragraphEnd) },
		func(s string) []string { return after(s, sentenceEnd) },
		func(s string) []string { return hard(s, count) },
	}
}

// after parts a text behind each end.
func after(text string, end *regexp.Regexp) (parts []string) {
	begin := 0
	for _, at := range end.FindAllStringIndex(text, -1) {
		parts, begin = append(parts, text[begin:at[1]]), at[1]
	}
	if begin < len(text) {
		parts = append(parts, text[begin:])
	}
	return parts
}

// hard parts a text between any two characters, into parts of few enough tokens.
func hard(text string, count func(string) int) (parts []string) {
	const most = MaxTokens / 4 // so that they fill what is begun
	for text != "" {
		n := boundary(text, 4*most) // bytes
		for n > utf8.UTFMax && count(text[:n]) > most {
			n = boundary(text, n/2)
		}
		parts, text = append(parts, text[:n]), text[n:]
	}
	return parts
}

// boundary is the first end of a character at n or behind it.
func boundary(text string, n int) int {
	for n < len(text) && !utf8.RuneStart(text[n]) {
		n++
	}
	return min(n, len(text))
}

// cutter puts parts together to pieces of at most MaxTokens.
type cutter struct {
	count  func(string) int
	levels []func(string) []string
	pieces []string

	current []string
	tokens  int // of current
}

// cut gives the pieces of a section.
func cut(section string, count func(string) int) []string {
	c := cutter{count: count, levels: levels(count)}
	c.add(section, 0)
	c.end()
	return c.pieces
}

// add puts a text behind the current piece, in a new one, or taken apart into both.
func (c *cutter) add(text string, level int) {
	n := c.size(text)
	switch {
	case c.tokens+n <= MaxTokens:
	case level == len(c.levels), n <= MaxTokens && !isHeading(strings.Join(c.current, "")):
		c.end()
	default:
		for _, part := range c.levels[level](text) {
			c.add(part, level+1)
		}
		return
	}
	c.current, c.tokens = append(c.current, text), c.tokens+n
}

// size counts tokens, but of a text that has too many it does not count them all: some
// tokenizers take long over a word without an end.
func (c *cutter) size(text string) int {
	const most = 64 * MaxTokens // bytes
	if len(text) > most {
		return MaxTokens + 1
	}
	return c.count(text)
}

// isHeading tells whether a text is a heading alone, which stays with what follows.
func isHeading(text string) bool {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return false
		}
	}
	return true
}

// end ends the current piece.
func (c *cutter) end() {
	if piece := strings.TrimSpace(strings.Join(c.current, "")); piece != "" {
		c.pieces = append(c.pieces, piece)
	}
	c.current, c.tokens = nil, 0
}

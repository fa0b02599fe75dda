package index

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// Patterns for the ends of paragraphs and sentences, at which a text is split.
var (
	paragraphEnd = regexp.MustCompile(`\n[ \t\r]*\n\s*`)
	sentenceEnd  = regexp.MustCompile(`[。！？；…]+[”’」』）)]*\s*|[.!?;]+["')]*\s+|\n\s*`)
)

// levels lists the ways to split a text, from coarse to fine: at paragraphs, at sentences,
// anywhere. The parts of a split always add up to the whole text.
func levels(count func(string) int) []func(string) []string {
	return []func(string) []string{
		func(s string) []string { return splitAfter(s, paragraphEnd) },
		func(s string) []string { return splitAfter(s, sentenceEnd) },
		func(s string) []string { return splitAnywhere(s, count) },
	}
}

// splitAfter splits a text after each match of end.
func splitAfter(text string, end *regexp.Regexp) (parts []string) {
	begin := 0
	for _, at := range end.FindAllStringIndex(text, -1) {
		parts, begin = append(parts, text[begin:at[1]]), at[1]
	}
	if begin < len(text) {
		parts = append(parts, text[begin:])
	}
	return parts
}

// splitAnywhere splits a text between characters into parts with a limited number of tokens.
func splitAnywhere(text string, count func(string) int) (parts []string) {
	const most = maxTokens / 4 // tokens of a part; small, so that several parts fill a piece well
	for text != "" {
		n := boundary(text, 4*most) // length in bytes
		for n > utf8.UTFMax && count(text[:n]) > most {
			n = boundary(text, n/2)
		}
		parts, text = append(parts, text[:n]), text[n:]
	}
	return parts
}

// boundary returns the first character boundary at or after byte n.
func boundary(text string, n int) int {
	for n < len(text) && !utf8.RuneStart(text[n]) {
		n++
	}
	return min(n, len(text))
}

// cutter splits a section of a document into pieces of at most maxTokens. It joins short parts,
// such as sentences, into one piece.
type cutter struct {
	count  func(string) int
	levels []func(string) []string
	pieces []string

	current []string
	tokens  int // number of tokens of current
}

// cut splits a section into pieces of at most maxTokens, as counted by count.
func cut(section string, count func(string) int) []string {
	c := cutter{count: count, levels: levels(count)}
	c.add(section, 0)
	c.end()
	return c.pieces
}

// add appends a text to the current piece if it fits. Otherwise it begins a new piece, or splits
// the text at the given level.
func (c *cutter) add(text string, level int) {
	n := c.size(text)
	switch {
	case c.tokens+n <= maxTokens:
	case level == len(c.levels), n <= maxTokens && !isHeading(strings.Join(c.current, "")):
		c.end()
	default:
		for _, part := range c.levels[level](text) {
			c.add(part, level+1)
		}
		return
	}
	c.current, c.tokens = append(c.current, text), c.tokens+n
}

// size returns the number of tokens of a text. A text that is clearly too long is not counted,
// because some tokenizers are slow for very long words.
func (c *cutter) size(text string) int {
	const most = 64 * maxTokens // length in bytes above which a text is not counted
	if len(text) > most {
		return maxTokens + 1
	}
	return c.count(text)
}

// isHeading reports whether a text contains only a heading. A heading must be in the same piece as
// the text that follows it.
func isHeading(text string) bool {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return false
		}
	}
	return true
}

// end completes the current piece and begins an empty one.
func (c *cutter) end() {
	if piece := strings.TrimSpace(strings.Join(c.current, "")); piece != "" {
		c.pieces = append(c.pieces, piece)
	}
	c.current, c.tokens = nil, 0
}

// Package index searches documents without an external service, in the same way as RAGFlow: by
// terms (with an inverted index in SQLite), by vectors, or by both.
package index

import (
	"fmt"
	"strings"
)

// maxTokens is the maximum length of a passage.
const maxTokens = 400

// Passage is a part of a document: the unit that a search returns.
type Passage struct {
	// DOCUMENT#N, where N is the number of the section; the parts of a long section are DOCUMENT#N,
	// DOCUMENT#N.2, DOCUMENT#N.3 …
	ID   string
	Text string
}

// SplitDocument splits a Markdown document into passages: one for each «## » section, with its
// heading. The N in the ID of a passage is the number of the section, 0 for the text before the
// first heading. A section of more than 400 tokens is split at paragraphs, then at sentences, then
// anywhere. count returns the number of tokens of a text. A heading without text is omitted.
func SplitDocument(id, text string, count func(string) int) (all []Passage) {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\ufffd"), "\r\n", "\n")
	for n, section := range sections(text) {
		if n > 0 && isHeading(section) {
			continue
		}
		for i, piece := range cut(section, count) {
			p := Passage{ID: fmt.Sprintf("%s#%d", id, n), Text: piece}
			if i > 0 {
				p.ID += fmt.Sprintf(".%d", i+1)
			}
			all = append(all, p)
		}
	}
	return all
}

// sections splits a Markdown text at its «## » headings. The first section is the text before the
// first heading.
func sections(text string) (all []string) {
	const heading = "## "
	begin := 0
	for at := 0; at < len(text); {
		if strings.HasPrefix(text[at:], heading) {
			all, begin = append(all, text[begin:at]), at
		}
		next := strings.IndexByte(text[at:], '\n')
		if next < 0 {
			break
		}
		at += next + 1
	}
	return append(all, text[begin:])
}

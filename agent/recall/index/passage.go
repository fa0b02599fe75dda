// Package index searches documents in the process, as a retrieval service does: by terms, with an
// inverted index in SQLite, by vectors, or by both.
package index

import (
	"fmt"
	"strings"
)

// maxTokens is the maximal length of a passage.
const maxTokens = 400

// Passage is a part of a document that is found as a whole.
type Passage struct {
	ID   string // DOCUMENT#N; the parts of a long section are DOCUMENT#N, DOCUMENT#N.2, DOCUMENT#N.3 …
	Text string
}

// Passages returns the sections of a Markdown document, each with its heading. N is the number of
// its «## » heading, 0 for the text before the first. A section of more than 400 tokens, as counted
// by count, is split at paragraphs, then at sentences, then anywhere. A heading without text is
// omitted.
func Passages(id, text string, count func(string) int) (all []Passage) {
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

// sections returns the text before the first heading and the section of each heading.
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

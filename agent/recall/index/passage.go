// Package index searches documents in the process: by their words, whose index stands in
// SQLite, by vectors, or by both, as a service of retrieval does.
package index

import (
	"fmt"
	"strings"
)

// MaxTokens is how long a passage may be.
const MaxTokens = 400

// Passage is a part of a document that is found as a whole.
type Passage struct {
	ID   string // DOCUMENT#N, of a longer section also DOCUMENT#N.2, DOCUMENT#N.3 …
	Text string
}

// Passages are the sections of a document in Markdown, each with its heading: N is the
// number of its «## » heading, 0 of what stands before the first. One of more than
// MaxTokens, as count counts them, is cut at paragraphs, those at sentences, and those
// anywhere. A heading without a text is none.
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

// sections are what stands before the first heading, and what each begins.
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

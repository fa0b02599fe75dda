package wire

import (
	"strings"
	"unicode"
)

// highlighter marks the parts of a passage that also occur in the question of a retrieval request:
// words, and pairs of Chinese characters.
type highlighter struct{ words, pairs map[string]bool }

func newMarker(question string) highlighter {
	m := highlighter{words: map[string]bool{}, pairs: map[string]bool{}}
	for _, run := range runsOf(question) {
		switch run.script {
		case alphabet:
			m.words[strings.ToLower(run.text)] = true
		case chinese:
			runes := []rune(run.text)
			for i := 1; i < len(runes); i++ {
				m.pairs[string(runes[i-1:i+1])] = true
			}
		}
	}
	return m
}

// script is the writing system of a run of characters.
type script int

const (
	marks script = iota
	alphabet
	chinese
)

func scriptOf(r rune) script {
	switch {
	case unicode.Is(unicode.Han, r):
		return chinese
	case unicode.IsLetter(r) || unicode.IsNumber(r):
		return alphabet
	}
	return marks
}

// run is a sequence of characters of one writing system.
type run struct {
	text   string
	script script
}

// runsOf splits a text into runs, each of one writing system.
func runsOf(text string) (all []run) {
	begin, last := 0, marks
	for i, r := range text {
		if s := scriptOf(r); s != last {
			all, begin, last = append(all, run{text[begin:i], last}), i, s
		}
	}
	return append(all, run{text[begin:], last})
}

// mark returns the text with all matches enclosed in <em> tags.
func (m highlighter) mark(text string) string {
	var b strings.Builder
	for _, run := range runsOf(text) {
		switch {
		case run.script == chinese:
			m.markPairs(&b, []rune(run.text))
		case run.script == alphabet && m.words[strings.ToLower(run.text)]:
			b.WriteString("<em>" + run.text + "</em>")
		default:
			b.WriteString(run.text)
		}
	}
	return b.String()
}

func (m highlighter) markPairs(b *strings.Builder, runes []rune) {
	marked := make([]bool, len(runes)+1)
	for i := 1; i < len(runes); i++ {
		if m.pairs[string(runes[i-1:i+1])] {
			marked[i-1], marked[i] = true, true
		}
	}
	for i, r := range runes {
		if marked[i] && (i == 0 || !marked[i-1]) {
			b.WriteString("<em>")
		}
		b.WriteRune(r)
		if marked[i] && !marked[i+1] {
			b.WriteString("</em>")
		}
	}
}

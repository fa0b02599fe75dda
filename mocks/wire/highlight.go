package wire

import (
	"strings"
	"unicode"
)

// marker marks in a passage what stands in a question, too: words, and Chinese
// characters of which two stand together.
type marker struct{ words, pairs map[string]bool }

func newMarker(question string) marker {
	m := marker{words: map[string]bool{}, pairs: map[string]bool{}}
	for _, run := range runsOf(question) {
		if !run.chinese {
			m.words[strings.ToLower(run.text)] = true
		}
		runes := []rune(run.text)
		for i := 1; i < len(runes) && run.chinese; i++ {
			m.pairs[string(runes[i-1:i+1])] = true
		}
	}
	return m
}

// run is what stands together: Chinese characters, a word, or what is neither.
type run struct {
	text    string
	chinese bool
}

func runsOf(text string) (all []run) {
	kind := func(r rune) int {
		switch {
		case unicode.Is(unicode.Han, r):
			return 1
		case unicode.IsLetter(r) || unicode.IsNumber(r):
			return 2
		}
		return 0
	}
	last := -1
	begin := 0
	for i, r := range text {
		if k := kind(r); k != last {
			if i > begin {
				all = append(all, run{text[begin:i], last == 1})
			}
			begin, last = i, k
		}
	}
	return append(all, run{text[begin:], last == 1})
}

// mark puts what is marked between tags.
func (m marker) mark(text string) string {
	var b strings.Builder
	for _, run := range runsOf(text) {
		switch {
		case run.chinese:
			m.markPairs(&b, []rune(run.text))
		case m.words[strings.ToLower(run.text)]:
			b.WriteString("<em>" + run.text + "</em>")
		default:
			b.WriteString(run.text)
		}
	}
	return b.String()
}

func (m marker) markPairs(b *strings.Builder, runes []rune) {
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

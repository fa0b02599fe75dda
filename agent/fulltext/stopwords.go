package fulltext

import (
	"slices"
	"strings"
)

// StopwordReplacer has each of the words of a list, which spaces part, stand for a space, the
// longest first: with what a question is asked tells nothing of what it is about.
func StopwordReplacer(list string) *strings.Replacer {
	words := strings.Fields(list)
	slices.SortStableFunc(words, func(a, b string) int { return len(b) - len(a) })
	var pairs []string
	for _, w := range words {
		pairs = append(pairs, w, " ")
	}
	return strings.NewReplacer(pairs...)
}

// NormalizedWords are those of a list, folded.
func NormalizedWords(list string) map[string]bool {
	words := map[string]bool{}
	for w := range strings.FieldsSeq(Normalize(list)) {
		words[w] = true
	}
	return words
}

package fulltext

import (
	"slices"
	"strings"
)

// Partings has each of the words of a list, which spaces part, stand for a space, the
// longest first: with what a question is asked tells nothing of what it is about.
func Partings(list string) *strings.Replacer {
	words := strings.Fields(list)
	slices.SortStableFunc(words, func(a, b string) int { return len(b) - len(a) })
	var pairs []string
	for _, w := range words {
		pairs = append(pairs, w, " ")
	}
	return strings.NewReplacer(pairs...)
}

// Words are those of a list, folded.
func Words(list string) map[string]bool {
	words := map[string]bool{}
	for w := range strings.FieldsSeq(Fold(list)) {
		words[w] = true
	}
	return words
}

package fulltext

import (
	"slices"
	"strings"
)

// StopwordReplacer returns a replacer that removes words which do not describe a topic, such as
// question words. The list is separated by spaces; longer words have precedence.
func StopwordReplacer(list string) *strings.Replacer {
	words := strings.Fields(list)
	slices.SortStableFunc(words, func(a, b string) int { return len(b) - len(a) })
	var pairs []string
	for _, w := range words {
		pairs = append(pairs, w, " ")
	}
	return strings.NewReplacer(pairs...)
}

// NormalizedWords returns the set of words in a list, each normalized.
func NormalizedWords(list string) map[string]bool {
	words := map[string]bool{}
	for w := range strings.FieldsSeq(Normalize(list)) {
		words[w] = true
	}
	return words
}

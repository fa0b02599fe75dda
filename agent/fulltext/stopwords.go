package fulltext

import (
	"slices"
	"strings"
)

// StopwordReplacer replaces each word of a space-separated list by a space, longest first. Question
// words do not describe the topic.
func StopwordReplacer(list string) *strings.Replacer {
	words := strings.Fields(list)
	slices.SortStableFunc(words, func(a, b string) int { return len(b) - len(a) })
	var pairs []string
	for _, w := range words {
		pairs = append(pairs, w, " ")
	}
	return strings.NewReplacer(pairs...)
}

// NormalizedWords returns the normalized words of a list.
func NormalizedWords(list string) map[string]bool {
	words := map[string]bool{}
	for w := range strings.FieldsSeq(Normalize(list)) {
		words[w] = true
	}
	return words
}

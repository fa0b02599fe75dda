package studio

import (
	"maps"
	"slices"
)

// ErrorReplies are all that the studio makes.
func ErrorReplies() []string { return slices.Collect(maps.Values(errorReplies)) }

// Several are the styles that one text names.
func Several(text string) []string {
	styles, err := shippedLexicon()
	if err != nil {
		panic(err)
	}
	return styles.several(text)
}

// Named are the shipped styles that a text mentions.
func Named(text string) []string {
	styles, err := shippedLexicon()
	if err != nil {
		panic(err)
	}
	return styles.in(text)
}

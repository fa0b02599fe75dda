package studio

import (
	"maps"
	"slices"
)

// ErrorReplies returns the messages of all error replies.
func ErrorReplies() []string { return slices.Collect(maps.Values(errorReplies)) }

// Several returns the style names that splitNames finds in a text.
func Several(text string) []string {
	styles, err := shippedLexicon()
	if err != nil {
		panic(err)
	}
	return styles.splitNames(text)
}

// Named returns the built-in styles that a text mentions.
func Named(text string) []string {
	styles, err := shippedLexicon()
	if err != nil {
		panic(err)
	}
	return styles.find(text)
}

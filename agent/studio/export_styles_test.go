package studio

import (
	"maps"
	"slices"
)

// ErrorReplies are all messages of error replies.
func ErrorReplies() []string { return slices.Collect(maps.Values(errorReplies)) }

// Several are the styles that a text names.
func Several(text string) []string {
	styles, err := shippedLexicon()
	if err != nil {
		panic(err)
	}
	return styles.splitNames(text)
}

// Named are the built-in styles that a text mentions.
func Named(text string) []string {
	styles, err := shippedLexicon()
	if err != nil {
		panic(err)
	}
	return styles.find(text)
}

package studio

import (
	"maps"
	"slices"
)

// ErrorReplies returns the messages of all error replies.
func ErrorReplies() []string { return slices.Collect(maps.Values(errorReplies)) }

// SplitStyleNames returns the style names that splitNames finds in a text.
func SplitStyleNames(text string) []string {
	styles, err := shippedLexicon()
	if err != nil {
		panic(err)
	}
	return styles.splitNames(text)
}

// MentionedStyles returns the built-in styles that a text mentions.
func MentionedStyles(text string) []string {
	styles, err := shippedLexicon()
	if err != nil {
		panic(err)
	}
	return styles.find(text)
}

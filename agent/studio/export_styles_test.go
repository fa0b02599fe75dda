package studio

// ErrorReplies returns the messages of all error replies in both languages.
func ErrorReplies() (all []string) {
	for _, r := range errorReplies {
		all = append(all, r.zh, r.en)
	}
	return all
}

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

// FoldWords returns a text as style names are compared.
var FoldWords = foldWords

package index

// MaxTokens is the maximum length of a passage, for the tests.
const MaxTokens = maxTokens

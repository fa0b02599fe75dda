package index

// Names that the tests use.
const MaxTokens = maxTokens

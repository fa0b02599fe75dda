package jsontext

// MaxDepth exports maxDepth for the tests.
const MaxDepth = maxDepth

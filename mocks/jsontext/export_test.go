package jsontext

// Names that the tests use.
const MaxDepth = maxDepth

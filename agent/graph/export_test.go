package graph

// Names that the tests use.
const DefaultMaxSteps = defaultMaxSteps

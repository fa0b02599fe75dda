package schema

// Names that the tests use.
const MaxBytes = maxBytes

package schema

// MaxBytes exports maxBytes for the tests.
const MaxBytes = maxBytes

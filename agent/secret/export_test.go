package secret

// Names that the tests use.
const RedactedMarker = redactedMarker

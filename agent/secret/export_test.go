package secret

// Unexported names that the external tests use.
const RedactedMarker = redactedMarker

package telemetry

// Unexported names that the tests use.
const HeadersVar = headersVar

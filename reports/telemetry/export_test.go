package telemetry

// Names that the tests use.
const HeadersVar = headersVar

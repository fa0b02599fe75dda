package mocks

// Names that the tests use.
const LogSize = logSize

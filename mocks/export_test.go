package mocks

// LogSize exports logSize for the tests.
const LogSize = logSize

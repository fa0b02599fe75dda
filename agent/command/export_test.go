package command

// Names that the tests use.

type ProcessTransport = processTransport

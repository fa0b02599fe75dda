package digest

// Names that the tests use.

type DocumentEvent = documentEvent

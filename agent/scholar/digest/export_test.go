package digest

// DocumentEvent exports documentEvent for the tests.

type DocumentEvent = documentEvent

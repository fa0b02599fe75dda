package foreign

// Names that the tests use.
const MaxEvents = maxEvents

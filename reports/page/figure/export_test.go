package figure

// Names that the tests use.
const Dot = dotShape

package figure

// Unexported names that the tests use.
const Dot = dotShape

package eval

// NeedsHistory tags cases that cannot be decided from the last message alone, only with the
// history.
const NeedsHistory = "needs-history"

package eval

// NeedsHistory is the tag of cases whose correct label depends on the conversation history, not on
// the last message alone.
const NeedsHistory = "needs-history"

package eval

// NeedsHistoryTag is the tag of cases whose correct label depends on the conversation history, not on
// the last message alone.
const NeedsHistoryTag = "needs-history"

package eval

// NeedsHistory tags cases whose last message alone does not tell what is wanted: what
// was said before does.
const NeedsHistory = "needs-history"

package newsroom

import "time"

// Timeouts of one attempt of each external call. An agent that hangs in all of fifteen visits takes
// nine minutes.
const (
	decisionTimeout = 15 * time.Second
	agentTimeout    = 35 * time.Second
	searchTimeout   = 20 * time.Second
)

// VisitTimeout limits one visit of an agent or the supervisor, with all its calls and their
// attempts. Fifteen visits of each take at most half an hour. Real image generation has its own
// limit.
const VisitTimeout = time.Minute

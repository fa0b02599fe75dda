package newsroom

import "time"

// How long an attempt may take of each call to the outside. An agent that hangs at
// each of fifteen visits takes nine minutes.
const (
	decisionTimeout = 15 * time.Second
	agentTimeout    = 35 * time.Second
	searchTimeout   = 20 * time.Second
)

// VisitTimeout is how long a visit may take with all its calls and their attempts, of
// an agent or of the supervisor: fifteen of each take half an hour at most. Pictures
// that are really painted have a limit of their own.
const VisitTimeout = time.Minute

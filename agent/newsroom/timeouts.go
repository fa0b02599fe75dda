package newsroom

import "time"

// How long an attempt may take of each call to the outside. Pictures that are really
// painted have a limit of their own.
const (
	DecisionTimeout = 15 * time.Second
	AgentTimeout    = 60 * time.Second
	SearchTimeout   = 30 * time.Second
)

package newsroom

import "time"

// How long an attempt may take of each call to the outside. Pictures that are really
// painted have a limit of their own. An agent that hangs at each of fifteen visits
// takes nine minutes.
const (
	DecisionTimeout = 15 * time.Second
	AgentTimeout    = 35 * time.Second
	SearchTimeout   = 20 * time.Second
)

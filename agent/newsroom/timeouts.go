package newsroom

import "time"

// Time limits of one attempt of each external call. An agent that exceeds its limit in all of
// fifteen visits takes nine minutes.
const (
	decisionTimeout = 15 * time.Second
	agentTimeout    = 35 * time.Second
	searchTimeout   = 20 * time.Second
)

// AgentTimeout limits the time that an agent or the supervisor takes for its answer, with all calls
// of models and tools and all retries. With fifteen answers of each, a turn takes at most half an
// hour. Image generation has a separate limit.
const AgentTimeout = time.Minute

package studio

import "time"

// The nodes, as named in traces and errors.
const (
	plannerNode  = "planner"
	ragNode      = "rag"
	executorNode = "executor"
	criticNode   = "critic"
	genUINode    = "genui"
	errorNode    = "error_handler"
	sessionNode  = "session" // rejects requests before any other node
)

// Timeouts of one attempt of each node's external call. DashScope image generation has its own
// limit.
const (
	PlannerTimeout   = 10 * time.Second
	RetrievalTimeout = 3 * time.Second
	ExecutorTimeout  = 5 * time.Second
	CriticTimeout    = 8 * time.Second
)

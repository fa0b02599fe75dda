package studio

import "time"

// The nodes, as a trace and a failure name them.
const (
	plannerNode  = "planner"
	ragNode      = "rag"
	executorNode = "executor"
	criticNode   = "critic"
	genUINode    = "genui"
	errorNode    = "error_handler"
	sessionNode  = "session" // turns requests away, before any of the others
)

// How long an attempt may take of each node's call to the outside. A picture
// that is really painted has a limit of its own.
const (
	PlannerTimeout   = 10 * time.Second
	RetrievalTimeout = 3 * time.Second
	ExecutorTimeout  = 5 * time.Second
	CriticTimeout    = 8 * time.Second
)

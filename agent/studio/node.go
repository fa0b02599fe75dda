package studio

import "time"

// The names of the nodes in traces and errors.
const (
	plannerNode  = "planner"
	ragNode      = "rag"
	executorNode = "executor"
	criticNode   = "critic"
	genUINode    = "genui"
	errorNode    = "error_handler"
	sessionNode  = "session" // not a node of the graph: rejects requests while the session is busy
)

// Time limits for one attempt of the external call in each node. DashScope image generation has its
// own limit.
const (
	PlannerTimeout   = 10 * time.Second // call of the planner's model
	RetrievalTimeout = 3 * time.Second  // style search or embedding
	ExecutorTimeout  = 5 * time.Second  // placeholder image
	CriticTimeout    = 8 * time.Second  // call of the critic's model
)

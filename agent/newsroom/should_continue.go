package newsroom

// maxCalls is the maximum number of tool calls in one visit of a node.
const maxCalls = 10

// The nodes that execute tool calls, and the node that applies a decision.
const (
	supervisorTools = "supervisor_tools"
	researchTools   = "research_evidence_tools"
	imageTools      = "image_tools"
	routeNode       = "route"
)

// shouldContinueSupervisor returns the next node after an answer of the supervisor with that many
// tool calls. executed is the number of earlier calls.
func shouldContinueSupervisor(calls, executed int) string {
	if calls > 0 && executed < maxCalls {
		return supervisorTools
	}
	return routeNode
}

// shouldContinueResearch is the next node after the research agent.
func shouldContinueResearch(calls, executed int) string {
	if calls > 0 && executed < maxCalls {
		return researchTools
	}
	return supervisorNode
}

// shouldContinueImage is the next node after the image agent.
func shouldContinueImage(complete bool, calls, executed int) string {
	if !complete && calls > 0 && executed < maxCalls {
		return imageTools
	}
	return supervisorNode
}

// shouldContinueReview is the next node after the review.
func shouldContinueReview(approved, qualityApproved bool) string {
	if approved && qualityApproved {
		return end
	}
	return supervisorNode
}

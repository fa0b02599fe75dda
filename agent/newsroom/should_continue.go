package newsroom

// mostCalls is how many calls of tools are executed in one visit of a node.
const mostCalls = 10

// The nodes that execute the calls, and the one that takes a decision.
const (
	supervisorTools = "supervisor_tools"
	researchTools   = "research_evidence_tools"
	imageTools      = "image_tools"
	routeNode       = "route"
)

// shouldContinueSupervisor is where it goes on from the supervisor, whose answer
// has so many calls, after so many that were executed.
func shouldContinueSupervisor(calls, executed int) string {
	if calls > 0 && executed < mostCalls {
		return supervisorTools
	}
	return routeNode
}

// shouldContinueResearch is where it goes on from the research.
func shouldContinueResearch(calls, executed int) string {
	if calls > 0 && executed < mostCalls {
		return researchTools
	}
	return supervisorNode
}

// shouldContinueImage is where it goes on from the pictures.
func shouldContinueImage(complete bool, calls, executed int) string {
	if !complete && calls > 0 && executed < mostCalls {
		return imageTools
	}
	return supervisorNode
}

// shouldContinueReview is where it goes on from the review.
func shouldContinueReview(approved, qualityApproved bool) string {
	if approved && qualityApproved {
		return end
	}
	return supervisorNode
}

package newsroom

// maxCalls is the maximum number of tool calls that an agent can make before it must answer.
const maxCalls = 10

// Names of the nodes that execute tool calls, and of the node that applies a decision.
const (
	supervisorTools = "supervisor_tools"
	researchTools   = "research_evidence_tools"
	imageTools      = "image_tools"
	routeNode       = "route"
)

// shouldContinueSupervisor returns the node after an answer of the supervisor. calls is the number
// of tool calls in the answer, executed the number of earlier ones.
func shouldContinueSupervisor(calls, executed int) string {
	if calls > 0 && executed < maxCalls {
		return supervisorTools
	}
	return routeNode
}

// shouldContinueResearch returns the node after an answer of the research agent.
func shouldContinueResearch(calls, executed int) string {
	if calls > 0 && executed < maxCalls {
		return researchTools
	}
	return supervisorNode
}

// shouldContinueImage returns the node after an answer of the image agent. complete means that
// every plan has an image.
func shouldContinueImage(complete bool, calls, executed int) string {
	if !complete && calls > 0 && executed < maxCalls {
		return imageTools
	}
	return supervisorNode
}

// shouldContinueReview returns the node after a review: the end if the post is approved with
// sufficient scores.
func shouldContinueReview(approved, qualityApproved bool) string {
	if approved && qualityApproved {
		return end
	}
	return supervisorNode
}

package newsroom

import "slices"

// simulateNext returns the decision of a simulated supervisor: the next agent on the expected path
// after the agents that have run. It skips agents whose input is missing because another agent
// failed. At the end of the path, or if the work may not end yet, the status in the prompt decides.
// shown is the prompt; path contains the accepted labels of each decision.
func simulateNext(shown string, path [][]string) string {
	v, ok := readStatus(shown)
	if !ok && len(path) > 0 && len(path[0]) > 0 {
		return path[0][0]
	}
	for _, labels := range v.remainingPath(path) {
		switch {
		case len(labels) == 0:
		case labels[0] != end:
			if !v.isBlocked(labels[0]) {
				return labels[0]
			}
		case v.mayEnd || !ok:
			return end
		}
	}
	return v.defaultNext()
}

// remainingPath returns the part of the expected path that follows the agents that ran. It ignores
// agents that are not on the path.
func (v snapshot) remainingPath(path [][]string) [][]string {
	for _, agent := range v.ran {
		for i, labels := range path {
			if slices.Contains(labels, agent) {
				path = path[i+1:]
				break
			}
			if len(labels) > 0 && !v.isBlocked(labels[0]) {
				break
			}
		}
	}
	return path
}

// isBlocked reports whether an agent's input is missing because the agent that produces it failed.
func (v snapshot) isBlocked(agent string) bool {
	for _, w := range []struct{ agent, field, maker string }{
		{writerAgent, "creativeBrief", briefAgent},
		{reviewAgent, "generatedContent", writerAgent},
		{imageAgent, "imagePlans", imagePlanAgent},
	} {
		if w.agent == agent && v.isMissing(w.field) && slices.Contains(v.failed, w.maker) {
			return true
		}
	}
	return false
}

// defaultNext returns the next agent on the shortest way to the end: a brief, a text, a review.
// After a rejection it returns the agent that can improve the lowest score, then the review again.
func (v snapshot) defaultNext() string {
	last := ""
	if len(v.ran) > 0 {
		last = v.ran[len(v.ran)-1]
	}
	switch {
	case v.mayEnd:
		return end
	case v.isMissing("creativeBrief"):
		return briefAgent
	case v.isMissing("generatedContent"):
		return writerAgent
	case last != reviewAgent || slices.Contains(v.failed, reviewAgent) || v.review == "missing":
		return reviewAgent
	case v.back != "":
		return v.back
	}
	return writerAgent
}

package newsroom

import "slices"

// simulateNext is the decision of a simulated supervisor with an expected path: the next agent of
// the path after those that have run. It skips an agent whose input another agent failed to create.
// At the end of the path, or if the work may not end yet, the status alone decides.
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

// remainingPath is the part of the path after the agents that ran. Agents that are not on the path
// are ignored, and agents that cannot run are skipped.
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

// isBlocked reports whether an agent lacks an input whose agent has just failed.
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

// defaultNext is the shortest way to the end: a brief, a text, a review. After a rejection, it is
// the agent that the review points to, and another review.
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

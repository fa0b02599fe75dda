package newsroom

import "slices"

// nextOn is what a supervisor who knows the path of a turn decides, by the status
// that it is shown: the next agent of the path, behind those that have run. An agent
// that lacks what another has failed to make is passed over. At the end of the path,
// and where the work may not end yet, the status alone decides.
func nextOn(shown string, path [][]string) string {
	v, ok := readStatus(shown)
	if !ok && len(path) > 0 && len(path[0]) > 0 {
		return path[0][0]
	}
	for _, labels := range v.rest(path) {
		switch {
		case len(labels) == 0:
		case labels[0] != end:
			if !v.hopeless(labels[0]) {
				return labels[0]
			}
		case v.mayEnd || !ok:
			return end
		}
	}
	return v.sensible()
}

// rest is what is left of the path behind those that ran. One that ran beside it
// does not matter; on the way to one that ran, those that cannot work are passed over.
func (v snapshot) rest(path [][]string) [][]string {
	for _, agent := range v.ran {
		for i, labels := range path {
			if slices.Contains(labels, agent) {
				path = path[i+1:]
				break
			}
			if len(labels) > 0 && !v.hopeless(labels[0]) {
				break
			}
		}
	}
	return path
}

// hopeless tells an agent that wants what its maker has just failed to make.
func (v snapshot) hopeless(agent string) bool {
	for _, w := range []struct{ agent, field, maker string }{
		{writerAgent, "creativeBrief", briefAgent},
		{reviewAgent, "generatedContent", writerAgent},
		{imageAgent, "imagePlans", imagePlanAgent},
	} {
		if w.agent == agent && v.lacks(w.field) && slices.Contains(v.failed, w.maker) {
			return true
		}
	}
	return false
}

// sensible is the shortest way to an end: a brief, a text, a review, and after one
// that does not approve the agent that it points to, and another review.
func (v snapshot) sensible() string {
	last := ""
	if len(v.ran) > 0 {
		last = v.ran[len(v.ran)-1]
	}
	switch {
	case v.mayEnd:
		return end
	case v.lacks("creativeBrief"):
		return briefAgent
	case v.lacks("generatedContent"):
		return writerAgent
	case last != reviewAgent || slices.Contains(v.failed, reviewAgent) || v.review == "missing":
		return reviewAgent
	case v.back != "":
		return v.back
	}
	return writerAgent
}

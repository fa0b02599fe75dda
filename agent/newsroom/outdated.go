package newsroom

import "slices"

// dropOutdated removes results that are outdated after an agent wrote its artifact, such as images
// of replaced plans. before is the state before that. It never adds results.
func (s *state) dropOutdated(agent string, before state) {
	switch agent {
	case imagePlanAgent:
		s.dropReplacedImages(before.ImagePlans)
	case imageAgent:
		s.GeneratedImageAssetIDs = mergeAssets(s.ImagePlans, before.GeneratedImageAssetIDs, s.GeneratedImageAssetIDs)
	case writerAgent:
	default:
		return
	}
	s.dropReview()
}

// dropArtifacts removes everything that agents have written, because a request for another post
// replaces the earlier one.
func (s *state) dropArtifacts() {
	for _, r := range roles() {
		for _, name := range r.writes {
			if f, ok := s.field(name); ok {
				f.SetZero()
			}
		}
	}
}

// isBlank reports whether there is neither an earlier message nor anything that agents have written.
func (s *state) isBlank() bool {
	return len(s.Messages) == 0 && !slices.ContainsFunc(roles(),
		func(r role) bool { return slices.ContainsFunc(r.writes, s.has) })
}

// dropReview removes the review after the post has changed. The comments of a rejection remain,
// because the agents that revise the post need them.
func (s *state) dropReview() {
	s.QualityScores = nil
	if s.ReviewFeedback != nil && s.ReviewFeedback.Approved {
		s.ReviewFeedback = nil
	}
}

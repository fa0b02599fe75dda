package newsroom

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

// dropReview removes the review after the post has changed. The comments of a rejection remain,
// because the agents that revise the post need them.
func (s *state) dropReview() {
	s.QualityScores = nil
	if s.ReviewFeedback != nil && s.ReviewFeedback.Approved {
		s.ReviewFeedback = nil
	}
}

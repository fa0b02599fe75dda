package newsroom

// dropOutdated removes fields that are outdated after an agent's artifact was stored. It never
// creates an artifact.
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

// dropReview removes a review after the piece has changed. Comments of a rejection stay for the
// agents that revise the piece.
func (s *state) dropReview() {
	s.QualityScores = nil
	if s.ReviewFeedback != nil && s.ReviewFeedback.Approved {
		s.ReviewFeedback = nil
	}
}

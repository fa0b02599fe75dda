package newsroom

// settle removes fields that are outdated after an agent's artifact was stored. It never creates an
// artifact.
func (s *state) settle(agent string, before state) {
	switch agent {
	case imagePlanAgent:
		s.replan(before.ImagePlans)
	case imageAgent:
		s.GeneratedImageAssetIDs = overlaid(s.ImagePlans, before.GeneratedImageAssetIDs, s.GeneratedImageAssetIDs)
	case writerAgent:
	default:
		return
	}
	s.unreview()
}

// unreview removes a review after the piece has changed. Comments of a rejection stay for the
// agents that revise the piece.
func (s *state) unreview() {
	s.QualityScores = nil
	if s.ReviewFeedback != nil && s.ReviewFeedback.Approved {
		s.ReviewFeedback = nil
	}
}

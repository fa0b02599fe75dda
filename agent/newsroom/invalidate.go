package newsroom

// settle draws from what an agent has just made what follows for the rest of the
// state. Nobody's artefact is made so: what no longer holds is taken away.
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

// unreview takes a review away of which the piece has been changed since. What one
// that rejected it has remarked on stays, for those who mend it.
func (s *state) unreview() {
	s.QualityScores = nil
	if s.ReviewFeedback != nil && s.ReviewFeedback.Approved {
		s.ReviewFeedback = nil
	}
}

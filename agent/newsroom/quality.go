package newsroom

import (
	"encoding/json"
	"fmt"
)

// scores contains a review's score in 0..1 for each quality dimension. An absent score is unknown.
type scores map[string]float64

// UnmarshalJSON decodes an object with a score for each dimension. It never fails and drops invalid
// scores and unknown dimensions.
func (q *scores) UnmarshalJSON(raw []byte) error {
	*q = nil
	var given map[string]json.RawMessage
	if json.Unmarshal(raw, &given) != nil {
		return nil
	}
	for _, d := range dimensions {
		if n, ok := parseUnitInterval(given[d.name]); ok {
			if *q == nil {
				*q = scores{}
			}
			(*q)[d.name] = n
		}
	}
	return nil
}

// dimension is a quality dimension that a review scores, and the agent that can improve it.
type dimension struct{ name, agent string }

// dimensions lists the quality dimensions. The first of equal scores counts as the lowest.
var dimensions = []dimension{
	{"infoDensity", researchAgent},
	{"textImageAlignment", layoutAgent},
	{"styleConsistency", referenceAgent},
	{"readability", imagePlanAgent},
	{"platformFit", writerAgent},
}

// isQualityApproved reports whether every dimension has a score and no score is below threshold.
func (q scores) isQualityApproved(threshold float64) bool {
	for _, d := range dimensions {
		if n, ok := q[d.name]; !ok || n < threshold {
			return false
		}
	}
	return true
}

// lowest returns the dimension with the lowest score below the threshold. ok is false if no score
// is below it. Missing scores are ignored.
func (q scores) lowest(threshold float64) (low dimension, ok bool) {
	for _, d := range dimensions {
		if n, given := q[d.name]; given && n < threshold && (!ok || n < q[low.name]) {
			low, ok = d, true
		}
	}
	return low, ok
}

// mean returns the mean score over all dimensions. A missing score counts as 0.
func (q scores) mean() float64 {
	sum := 0.0
	for _, d := range dimensions {
		sum += q[d.name]
	}
	return sum / float64(len(dimensions))
}

// String returns the scores as NAME=VALUE in the order of the dimensions.
func (q scores) String() (s string) {
	for _, d := range dimensions {
		if n, ok := q[d.name]; ok {
			s += fmt.Sprintf("%s=%.2f ", d.name, n)
		}
	}
	return s
}

// isApproved reports whether a review approved the post and all its scores reach the threshold.
func (s *state) isApproved(threshold float64) bool {
	return s.hasBody() && s.ReviewFeedback != nil && s.ReviewFeedback.Approved &&
		s.QualityScores.isQualityApproved(threshold)
}

// hasBrief reports whether the state contains a usable brief.
func (s *state) hasBrief() bool { return s.CreativeBrief != nil && s.CreativeBrief.usable() }

// hasBody reports whether the state contains the text of a post.
func (s *state) hasBody() bool { return s.GeneratedContent != nil && s.GeneratedContent.usable() }

package newsroom

import (
	"encoding/json"
	"fmt"
)

// scores are the review's scores by dimension, 0..1. An absent score is missing, not zero.
type scores map[string]float64

// UnmarshalJSON drops invalid scores and unknown dimensions.
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

// dimension is a quality dimension, and the agent that improves it.
type dimension struct{ name, agent string }

// dimensions are in the order in which ties are broken.
var dimensions = []dimension{
	{"infoDensity", researchAgent},
	{"textImageAlignment", layoutAgent},
	{"styleConsistency", referenceAgent},
	{"readability", imagePlanAgent},
	{"platformFit", writerAgent},
}

// isQualityApproved reports whether every dimension has a score of at least threshold.
func (q scores) isQualityApproved(threshold float64) bool {
	for _, d := range dimensions {
		if n, ok := q[d.name]; !ok || n < threshold {
			return false
		}
	}
	return true
}

// lowest is the dimension with the lowest score below the threshold; ok is false if there is none.
// Missing scores are ignored.
func (q scores) lowest(threshold float64) (low dimension, ok bool) {
	for _, d := range dimensions {
		if n, given := q[d.name]; given && n < threshold && (!ok || n < q[low.name]) {
			low, ok = d, true
		}
	}
	return low, ok
}

// mean is the mean over all dimensions; a missing score counts as 0.
func (q scores) mean() float64 {
	sum := 0.0
	for _, d := range dimensions {
		sum += q[d.name]
	}
	return sum / float64(len(dimensions))
}

// String formats the scores in the order of the dimensions.
func (q scores) String() (s string) {
	for _, d := range dimensions {
		if n, ok := q[d.name]; ok {
			s += fmt.Sprintf("%s=%.2f ", d.name, n)
		}
	}
	return s
}

// isApproved reports whether the piece has been approved with sufficient scores.
func (s *state) isApproved(threshold float64) bool {
	return s.hasBody() && s.ReviewFeedback != nil && s.ReviewFeedback.Approved &&
		s.QualityScores.isQualityApproved(threshold)
}

// hasBrief reports whether there is a usable brief.
func (s *state) hasBrief() bool { return s.CreativeBrief != nil && s.CreativeBrief.usable() }

// hasBody reports whether there is a usable text.
func (s *state) hasBody() bool { return s.GeneratedContent != nil && s.GeneratedContent.usable() }

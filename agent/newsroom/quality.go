package newsroom

import (
	"encoding/json"
	"fmt"
)

// scores are what the review gives, by dimension, 0..1. One that is not there is
// missing, not zero.
type scores map[string]float64

// UnmarshalJSON leaves out what is no score of a dimension.
func (q *scores) UnmarshalJSON(raw []byte) error {
	*q = nil
	var given map[string]json.RawMessage
	if json.Unmarshal(raw, &given) != nil {
		return nil
	}
	for _, d := range dimensions {
		if n, ok := unit(given[d.name]); ok {
			if *q == nil {
				*q = scores{}
			}
			(*q)[d.name] = n
		}
	}
	return nil
}

// dimension is a side of quality, and the agent to go back to where it is low.
type dimension struct{ name, agent string }

// dimensions stand in the order in which ties are broken.
var dimensions = []dimension{
	{"infoDensity", researchAgent},
	{"textImageAlignment", layoutAgent},
	{"styleConsistency", referenceAgent},
	{"readability", imagePlanAgent},
	{"platformFit", writerAgent},
}

// isQualityApproved tells whether every dimension has a score that is high enough.
func (q scores) isQualityApproved(threshold float64) bool {
	for _, d := range dimensions {
		if n, ok := q[d.name]; !ok || n < threshold {
			return false
		}
	}
	return true
}

// lowest is the dimension of the lowest score below the threshold; ok is false
// where none is. A missing score is low, but not a score to go by.
func (q scores) lowest(threshold float64) (low dimension, ok bool) {
	for _, d := range dimensions {
		if n, given := q[d.name]; given && n < threshold && (!ok || n < q[low.name]) {
			low, ok = d, true
		}
	}
	return low, ok
}

// mean is over all dimensions; a missing score counts as nothing.
func (q scores) mean() float64 {
	sum := 0.0
	for _, d := range dimensions {
		sum += q[d.name]
	}
	return sum / float64(len(dimensions))
}

// String writes the scores in the order of the dimensions.
func (q scores) String() (s string) {
	for _, d := range dimensions {
		if n, ok := q[d.name]; ok {
			s += fmt.Sprintf("%s=%.2f ", d.name, n)
		}
	}
	return s
}

// isApproved tells whether there is an article that the review lets go.
func (s *state) isApproved(threshold float64) bool {
	return s.hasBody() && s.ReviewFeedback != nil && s.ReviewFeedback.Approved && s.QualityScores.isQualityApproved(threshold)
}

// hasBrief tells whether the brief is complete: it is where it is there.
func (s *state) hasBrief() bool { return s.CreativeBrief != nil && s.CreativeBrief.usable() }

// hasBody tells whether there is an article.
func (s *state) hasBody() bool { return s.GeneratedContent != nil && s.GeneratedContent.usable() }

package eval

import "strings"

// Names of scores that compare retrieved documents and slots with the expected ones. The suffix
// falseHits is for cases that expect no value.
const (
	retrievalScore = "retrieval.hit_rate"
	slotScores     = "slots."
	falseHits      = "false_hits"
)

// MetricVerdict returns the name of the metric that the score counts toward, and the verdict that
// it counts with. A search that should find a value counts toward a hit rate. A search that should
// find none counts toward a false-hit rate, where Pass means that it found a value.
func (s Score) MetricVerdict() (metric string, v Verdict) {
	isSearch := s.Name == retrievalScore || strings.HasPrefix(s.Name, slotScores)
	if !isSearch || s.Expected.hasLabel() {
		return s.Name, s.Verdict
	}
	metric = s.Name + "." + falseHits
	if s.Name == retrievalScore {
		metric = "retrieval." + falseHits
	}
	if s.Verdict == Unscored {
		return metric, s.Verdict
	}
	return metric, PassIf(s.Verdict == Fail)
}

func (o OneOf) hasLabel() bool {
	for _, l := range o {
		if l != "" {
			return true
		}
	}
	return false
}

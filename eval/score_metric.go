package eval

import "strings"

// Names of the scores that compare a set of found values with the expected ones: retrieval and
// slots. The suffix falseHits is for cases that expect no value.
const (
	retrievalScore = "retrieval.hit_rate"
	slotScores     = "slots."
	falseHits      = "false_hits"
)

// MetricVerdict returns the metric that a score counts in, and its verdict there. Hit rates cover
// the cases that expect a value. Cases that expect none count in a false-hit rate, which passes if
// a value was found.
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

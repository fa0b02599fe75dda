package eval

import "strings"

// Scores of values that are looked for: what is retrieved, and the slots. What ends
// in falseHits is of cases that expect none.
const (
	retrievalScore = "retrieval.hit_rate"
	slotScores     = "slots."
	falseHits      = "false_hits"
)

// MetricVerdict says in which share of trials a score counts, and how. That of values
// that are looked for is over cases that expect some: that nothing is found where
// nothing is to be found is no hit. Cases that expect none have the share of those
// that find something nevertheless.
func (s Score) MetricVerdict() (metric string, v Verdict) {
	sought := s.Name == retrievalScore || strings.HasPrefix(s.Name, slotScores)
	if !sought || s.Expected.expectsSome() {
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

func (o OneOf) expectsSome() bool {
	for _, l := range o {
		if l != "" {
			return true
		}
	}
	return false
}

// Package finding summarizes the metrics of a suite in sentences: the most accurate variant,
// confusions, faults, cost, latency, retrieval, paths and batches. It omits a sentence if the data
// do not support it. All numbers in a sentence can be derived from the results. It also describes the trace
// events and replies of a trial in words, for timelines.
package finding

import (
	"slices"

	"evalctl/eval"
)

// withoutLabelBasedMDD returns the differences between the variants of a suite. If both variants of
// a pair are label-based simulations, it removes the minimum detectable difference. They use common
// random numbers and differ in few cases, so that the value would be too small for real models.
func withoutLabelBasedMDD(s eval.SuiteSummary) []eval.Difference {
	list := slices.Clone(s.Differences)
	for i, d := range list {
		if s.IsLabelBased(d.Variant) && s.IsLabelBased(d.ComparedWith) {
			list[i].MinDetectableDifference, list[i].MinDetectableDifferenceAllEpochs = nil, nil
		}
	}
	return list
}

// Findings returns the sentences that summarize a suite, most important first.
func Findings(s eval.SuiteSummary) []Sentence {
	s.Differences = withoutLabelBasedMDD(s)
	in := suite{s}
	var found []Sentence
	for _, find := range []func(suite) *Sentence{
		unscored, contractViolation, cachedAnswers, replaced, winner, unreadPrompts, byTag, deferred,
		notBetterThanBaseline, retrieval, topConfusion, invalidLabels, episode, correction,
		delivered, critics, worstFault, batch, cost, slowest, overconfident, support,
	} {
		if one := find(in); one != nil {
			one.add(".")
			found = append(found, *one)
		}
	}
	return found
}

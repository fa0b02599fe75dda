// Package finding summarizes the metrics of a suite in sentences: the most accurate variant,
// confusions, faults, cost, latency, retrieval, paths and batches. A sentence appears only if its
// condition holds. All its numbers can be derived from the results.
package finding

import (
	"slices"

	"evalctl/eval"
)

// withoutSharedPower returns the differences of a suite without the minimum detectable difference
// of two label-based variants. These use common random numbers and differ in few cases. Their
// minimum detectable difference is smaller than that of real models.
func withoutSharedPower(s eval.SuiteSummary) []eval.Difference {
	list := slices.Clone(s.Differences)
	for i, d := range list {
		if s.DecidesByLabels(d.Variant) && s.DecidesByLabels(d.ComparedWith) {
			list[i].MinDetectableDifference, list[i].MinDetectableDifferenceAllEpochs = nil, nil
		}
	}
	return list
}

// Findings returns the sentences on a suite, most important first.
func Findings(s eval.SuiteSummary) []Sentence {
	s.Differences = withoutSharedPower(s)
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

// Package finding says in sentences what the numbers of a suite come to: which
// variant decides best and by how much, what it mistakes, what a fault costs,
// what is dear and what is slow, what is found, by which path, and in which batches.
// A sentence is there only where its condition holds, and every number in it can be
// recounted from the results.
package finding

import (
	"slices"

	"evalctl/eval"
)

// withoutSharedPower are the differences of a suite, without the detectable one where both
// variants decide by labels. These share their random numbers and differ in few cases, so
// that it is smaller than that of real models.
func withoutSharedPower(s eval.SuiteSummary) []eval.Difference {
	list := slices.Clone(s.Differences)
	for i, d := range list {
		if s.DecidesByLabels(d.Variant) && s.DecidesByLabels(d.ComparedWith) {
			list[i].MinDetectableDifference, list[i].MinDetectableDifferenceAllEpochs = nil, nil
		}
	}
	return list
}

// Findings finds all that is to be said of a suite, the most important first.
func Findings(s eval.SuiteSummary) []Sentence {
	s.Differences = withoutSharedPower(s)
	in := suite{s}
	var found []Sentence
	for _, find := range []func(suite) *Sentence{
		unscored, breach, kept, replaced, winner, unreadPrompts, byTag, deferred, notAbove, retrieval, mistake, noLabel, episode, correction,
		delivered, critics, worstFault, batch, cost, slowest, tooSure, support,
	} {
		if one := find(in); one != nil {
			one.say(".")
			found = append(found, *one)
		}
	}
	return found
}

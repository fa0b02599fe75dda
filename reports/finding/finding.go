// Package finding says in sentences what the numbers of a suite come to: which
// variant decides best and by how much, what it mistakes, what a fault costs,
// what is dear and what is slow, what is found, by which path, and in which batches.
// A sentence is there only where its condition holds, and every number in it can be
// recounted from the results.
package finding

import "evalctl/eval"

// Of finds all that is to be said of a suite, the most important first.
func Of(s eval.SuiteSummary) []Sentence {
	in := suite{s}
	var found []Sentence
	for _, find := range []func(suite) *Sentence{
		unjudged, breach, kept, replaced, winner, unreadPrompts, byTag, deferred, notAbove, retrieval, mistake, noLabel, episode, correction,
		delivered, critics, worstFault, batch, cost, slowest, tooSure, support,
	} {
		if one := find(in); one != nil {
			one.say(".")
			found = append(found, *one)
		}
	}
	return found
}

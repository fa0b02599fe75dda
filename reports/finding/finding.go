// Package finding summarizes the metrics of a suite in sentences: the most accurate variant,
// confusions, faults, cost, latency, retrieval, paths and batches. It omits a sentence if the data
// do not support it. All numbers in a sentence can be derived from the results. It also describes the trace
// events and replies of a trial in words, for timelines.
package finding

import (
	"cmp"
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

// severity is the importance of a kind of sentence.
type severity int

const (
	warning severity = iota // the metrics are unreliable, or a variant has a problem
	result                  // the main results of the run
	detail
)

// rule is a kind of sentence: find returns the sentence, without the full stop, if the data of a
// suite support it, and otherwise nil.
type rule struct {
	kind     Kind
	severity severity
	find     func(suite) *Sentence
}

// rules declares the sentences in the order in which reports of a suite show them.
var rules = []rule{
	{KindBaselineChange, warning, nil}, // compares two runs, see BaselineChange
	{KindUnscored, warning, unscored},
	{KindContractViolation, warning, contractViolation},
	{KindCachedAnswers, detail, cachedAnswers},
	{KindAnswersInvalid, warning, replaced},
	{KindMostAccurate, result, winner},
	{KindPromptsNotRead, warning, unreadPrompts},
	{KindTagDifference, result, byTag},
	{KindAnswersNotUsed, detail, deferred},
	{KindBaselineModel, warning, notBetterThanBaseline},
	{KindRetrieval, detail, retrieval},
	{KindTopConfusion, result, topConfusion},
	{KindInvalidLabels, detail, invalidLabels},
	{KindEpisode, detail, episode},
	{KindCorrection, detail, correction},
	{KindDeliveredImages, result, delivered},
	{KindCritic, result, critics},
	{KindWorstFault, result, worstFault},
	{KindBatch, detail, batch},
	{KindCost, detail, cost},
	{KindSlowestFault, detail, slowest},
	{KindOverconfident, detail, overconfident},
	{KindLabelsWithoutCases, detail, support},
}

// position returns the place of a kind in [rules].
func position(k Kind) int { return slices.IndexFunc(rules, func(r rule) bool { return r.kind == k }) }

// Findings returns the sentences that summarize a suite, in the order of [rules].
func Findings(s eval.SuiteSummary) []Sentence {
	s.Differences = withoutLabelBasedMDD(s)
	in := suite{s}
	var found []Sentence
	for _, r := range rules {
		if r.find == nil {
			continue
		}
		if one := r.find(in); one != nil {
			one.add(".")
			found = append(found, *one)
		}
	}
	return found
}

// CompareKinds compares two kinds of sentences by severity, for sorting with the most important
// first.
func CompareKinds(a, b Kind) int {
	x, y := position(a), position(b)
	return cmp.Or(cmp.Compare(rules[x].severity, rules[y].severity), cmp.Compare(x, y))
}

// IsWarning reports whether the sentence warns of unreliable metrics or of a problem of a variant.
func (s Sentence) IsWarning() bool {
	return s.Kind != KindBaselineChange && rules[position(s.Kind)].severity == warning
}

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

// rule declares a sentence of a report.
type rule struct {
	kind     Kind
	severity severity
	find     func(eval.SuiteSummary) values // values of the text; nil: the data do not support it
	text     string                         // template of the sentence, see [fill]
}

// rules declares the sentences in the order in which reports of a suite show them. If a clause has
// more than a few forms, it is a placeholder, and its templates are in the function that returns the
// values.
var rules = []rule{
	{KindBaselineChange, warning, nil, // compares two runs, see BaselineChanges
		"Compared with {run}: {changes}."},
	{KindUnscored, warning, unscored,
		"{conditions}: {trials} {unscored}< ({errors})>[<; its accuracy covers only {scored}>]" +
			"<; also more than 5 % in {others}>."},
	{KindContractViolation, warning, contractViolation,
		"{problem} in {wrong} of {trials} of {variant}< with {fault}><; also in {others}>."},
	{KindCachedAnswers, detail, cachedAnswers,
		"{cached} of {calls} were answered from the response cache; their turns have no latency."},
	{KindAnswersInvalid, warning, decidedInstead(isBroken),
		"In {variant}, {deciders} {unused} of {decisions}{note}: {reasons}<; also {others}>."},
	{KindDeliveredImages, result, deliveredImages,
		"Good images, first attempt to delivered: {variant} {gain}[, from {first} to {delivered}]<, {others}>."},
	{KindMostAccurate, result, onlyVariant,
		"{variant} is <right in all {right}><wrong in {wrong}>."},
	{KindMostAccurate, result, identicalDecisions,
		"{variants} make identical decisions< in all {cases}>[, accuracy {accuracy}]<; {others}>."},
	{KindMostAccurate, result, equalAccuracy,
		"{variants} have equal accuracy<: {accuracy}>< over the {common} that both score>; {they} differ in " +
			"{cases}{detectable}<. {best} is {comparisons}>."},
	{KindMostAccurate, result, highestAccuracy(isNoBaselineModel),
		"{best} has the highest accuracy: [{accuracy}, ]{comparisons}."},
	{KindBaselineModel, warning, highestAccuracy(isBaselineModel),
		"{best}, a baseline model, has the highest accuracy: [{accuracy}, ]{comparisons}."},
	{KindPromptsNotRead, warning, promptsNotRead,
		eval.UnreadPromptsWarning + "."},
	{KindTagDifference, result, tagDifferences,
		"{comparisons}."},
	{KindAnswersNotUsed, detail, decidedInstead(isIntact),
		"In {variant}, {deciders} {unused} of {decisions}{note}: {reasons}<; also {others}>."},
	{KindBaselineModel, warning, notBetterThanBaselineModel,
		"{comparisons}."},
	{KindRetrieval, detail, retrieval,
		"{best} has the highest recall@5: {recall} of {cases}< (baseline model {model}: {modelRecall})>" +
			"<, {points} points above {below}{interval}{more}>" +
			"<; the difference from {even}{evenInterval}{evenMore} has a 95 % interval that contains 0>" +
			"<; MRR {mrr}, {higher}>."},
	{KindTopConfusion, result, topConfusion,
		"Top {n:confusion|confusions} of {confusions}< of {decisions}>< ({baseline}: {same})><; {others}>."},
	{KindInvalidLabels, detail, invalidLabels,
		"{invalid} wrong answers of {variant} are invalid labels."},
	{KindEpisode, detail, episode,
		"{variant} follows the labeled path exactly in {exact}; " +
			"{steps} steps per episode (mean of {episodes})<; p95 {p95} per case>."},
	{KindCorrection, detail, correction,
		"{corrected} decisions of {variant} that name an agent are corrected<, {n} of them {proposed} → {executed}>."},
	{KindDeliveredImages, result, unchangedImages,
		"Good images, first attempt to delivered: the 95 % interval of the change contains 0 in {unchanged}."},
	{KindCritic, result, critics,
		"Bad images that pass the critic: {lax}, {strict}."},
	{KindWorstFault, result, worstFault,
		"Worst {n:fault|faults}: {faults} {n:makes|each make} {worse} of {variant} worse: {classes}" +
			"<. {n:It|Each} fixes {fixed}><. {recovery}>."},
	{KindBatch, detail, batch,
		"{variant} answers {batches} batches with {messages} messages on average; reply p50 {several} after the " +
			"last message of a batch, {single} after a single message."},
	{KindCost, detail, cost,
		"{variant} costs USD {cost} per 1,000 cases, <{times} times as much as {cheap}><{free} costs nothing>."},
	{KindSlowestFault, detail, slowestFault,
		"Slowest fault: {fault} raises {turn}p95 of {variant} from {before} to {after}."},
	{KindOverconfident, detail, overconfident,
		"The model of {variant} is over-confident: mean confidence {confidence}, accuracy {accuracy}."},
	{KindLabelsWithoutCases, detail, labelsWithoutCases,
		"<{variant}: >{coverage}."},
}

// position returns the place of a kind in [rules]. If a kind has several sentences, it is that of the
// last.
func position(k Kind) int {
	for i, r := range slices.Backward(rules) {
		if r.kind == k {
			return i
		}
	}
	return -1
}

// Findings returns the sentences that summarize a suite, in the order of [rules].
func Findings(s eval.SuiteSummary) (found []Sentence) {
	s.Differences = withoutLabelBasedMDD(s)
	for _, r := range rules {
		if r.find == nil {
			continue
		}
		if v := r.find(s); v != nil {
			found = append(found, Sentence{r.kind, fill(r.text, v)})
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

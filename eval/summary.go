package eval

import (
	"slices"
)

// Summary contains all metrics, comparisons and gate verdicts of a run, derived from its results
// alone. It contains no times or IDs of the run, so equal results have equal summaries.
type Summary struct {
	// version of the summary's file format; 0: not read from a file
	FormatVersion int `json:"format_version,omitempty"`
	// the run is incomplete: it was interrupted, results are missing, or it is only a shard
	Partial bool           `json:"partial,omitempty"`
	Shard   *Shard         `json:"shard,omitempty"` // the shard that was run; null: the whole run
	Suites  []SuiteSummary `json:"suites"`
	Gates   []GateVerdict  `json:"gates"`
}

// SuiteSummary contains the metrics, comparisons and settings of one suite in a run.
type SuiteSummary struct {
	Name    string   `json:"name"`
	Target  string   `json:"target"`  // the evaluated system, or another kind of target
	Dataset string   `json:"dataset"` // name or path of the dataset
	Split   string   `json:"split,omitempty"`
	Tags    []string `json:"tags,omitempty"` // tags that the cases were selected by: all cases have them
	// --limit: only this number of cases, the first of the dataset, were run; 0: all
	Limit int64 `json:"limit,omitempty"`
	// --sample: number of cases that were drawn in proportion to their labels; 0: all
	Sample int64 `json:"sample,omitempty"`
	// earlier run whose failed cases this run repeats (--only-failing); the metrics then do not
	// describe the whole dataset
	FailedInRun string `json:"only_failing,omitempty"`
	// number of cases that match the split and the tags, if fewer were run
	AvailableCases int64 `json:"available_cases,omitempty"`
	Cases          int64 `json:"cases"` // number of cases that were selected to run
	// number of these cases that are in the training split of the baseline models; each is scored
	// by a model that was trained without it
	TrainingCases int64       `json:"training_cases,omitempty"`
	Epochs        int         `json:"epochs"` // number of times that each case was to be run
	Clock         string      `json:"clock"`  // clock of the trials: real or simulated
	Models        []ModelInfo `json:"models"` // the models that produced the results

	// Prompts contains, for each variant with custom prompts, a hash of their content. A variant
	// that is absent uses the default prompts.
	Prompts map[string]string `json:"prompts,omitempty"`

	// the suite injects every supported fault into every component
	FaultMatrix  bool `json:"fault_matrix,omitempty"`
	DecisionOnly bool `json:"decision_only,omitempty"` // the trials stopped after the decision
	// the correct label also depends on the state of a turn, not only on its message
	LabelsDependOnState bool `json:"state_dependent,omitempty"`
	// label for everything that fits no other label (out of scope)
	OOSLabel string `json:"oos_label,omitempty"`

	// LabelsWithoutCases are declared labels that no case of the run expects. Macro-F1 omits them.
	LabelsWithoutCases []string `json:"labels_without_cases,omitempty"`

	Conditions []ConditionSummary `json:"conditions"`
	// metrics over the cases with one tag, for tags that a gate names
	Slices []ConditionSummary `json:"slices,omitempty"`

	// variant that the other variants are compared with; "": the first
	BaselineVariant string         `json:"baseline_variant,omitempty"`
	Differences     []Difference   `json:"differences,omitempty"`
	FaultOutcomes   []FaultOutcome `json:"fault_outcomes,omitempty"`
}

// ModelInfo describes the model that a component used in a run.
type ModelInfo struct {
	Component string `json:"component"` // name of the component: router, chat, search …
	Kind      string `json:"kind"`      // real, simulated, or trained in the process
	// details, such as the URL of a real model or the specified accuracy of a simulated one
	Note string `json:"note"`

	// variants that used this model; nil: all variants that use the component
	Variants []string `json:"variants,omitempty"`

	// LatencyKind states where the component's time comes from, in a run with real components. ""
	// means that no component is real.
	Latency LatencyKind `json:"latency,omitempty"`

	LabelBased bool `json:"label_based,omitempty"` // the model decides by the labels of the cases, not by its input
	// the critic gives exactly the scores that the cases specify, without noise; the gain then
	// contains no regression to the mean
	Noiseless bool `json:"noiseless,omitempty"`
}

// LatencyKind states where the time of a component comes from, in a run with real components.
type LatencyKind string

// Values of Latency: the time was measured, comes from a cassette, or was omitted.
const (
	LatencyMeasured LatencyKind = "measured"
	LatencyRecorded LatencyKind = "as recorded"
	LatencyOmitted  LatencyKind = "left out" // the component is simulated and answers without delay
)

// UnreadPromptsWarning is the warning that reports print when they compare prompts of a simulated
// model.
const UnreadPromptsWarning = "Simulated models do not read prompts: these results say nothing about prompts. To compare prompts, set --model (evalctl help real-models)"

// HasUnreadPrompts reports whether the given variants differ in prompts that no real model read.
// Such a difference cannot be the cause of different results.
func (s SuiteSummary) HasUnreadPrompts(variants ...string) bool {
	seen := map[string]bool{}
	for _, name := range variants {
		if !s.IsBaselineModel(name) && !s.HasRealEndpoint(name) {
			seen[s.Prompts[name]] = true
		}
	}
	return len(seen) > 1
}

// IsBaselineModel reports whether a baseline model makes the decisions of the variant.
func (s SuiteSummary) IsBaselineModel(variant string) bool {
	return slices.ContainsFunc(s.Conditions,
		func(c ConditionSummary) bool { return c.Variant == variant && c.BaselineModel })
}

// TargetOf returns the system that the variant evaluates.
func (s SuiteSummary) TargetOf(variant string) string {
	for _, c := range s.Conditions {
		if c.Variant == variant && c.Target != "" {
			return c.Target
		}
	}
	return s.Target
}

// Targets returns the systems that the suite evaluates, without duplicates. That of the suite is the
// first.
func (s SuiteSummary) Targets() []string {
	list := []string{s.Target}
	for _, c := range s.Conditions {
		if c.Target != "" && !slices.Contains(list, c.Target) {
			list = append(list, c.Target)
		}
	}
	return list
}

// HasRealEndpoint reports whether a component of the variant called a real endpoint.
func (s SuiteSummary) HasRealEndpoint(variant string) bool {
	return slices.ContainsFunc(s.Models, func(m ModelInfo) bool {
		return m.Kind == "real" && (m.Variants == nil || slices.Contains(m.Variants, variant))
	})
}

// IsLabelBased reports whether the variant's deciding model is simulated. Such a model knows the
// labels and makes random errors.
func (s SuiteSummary) IsLabelBased(variant string) bool {
	return slices.ContainsFunc(s.Models, func(m ModelInfo) bool {
		return m.LabelBased && (m.Variants == nil || slices.Contains(m.Variants, variant))
	})
}

// ConditionSummary contains the metrics of one variant under one fault.
type ConditionSummary struct {
	Variant string `json:"variant"`          // name of the variant
	Target  string `json:"target,omitempty"` // the evaluated system; "": that of the suite
	Fault   string `json:"fault"`            // injected fault, or "none"
	// possible values of decided_by in the replies of the evaluated system
	DecisionSources []string `json:"-"`
	DeciderNode     string   `json:"-"` // name of the node that calls the deciding model; "": unknown
	// the variant is a baseline model, trained by evalctl itself
	BaselineModel bool `json:"baseline_model,omitempty"`
	// the expected outcome under the fault is our decision; the specification does not define it
	OurDecision bool                `json:"our_decision,omitempty"`
	Tag         string              `json:"tag,omitempty"` // tag that all cases of this summary have; "": all cases
	Trials      int64               `json:"trials"`
	Metrics     map[string]Estimate `json:"metrics"` // values by metric name, such as route.accuracy
	// number of labels that no scored turn of the condition expects; macro-F1 omits them
	LabelsWithoutCases int64      `json:"labels_without_cases,omitempty"`
	Confusion          *Confusion `json:"confusion,omitempty"`
	// most frequent wrong answers, the most frequent first
	ConfusedPairs []ConfusedPair `json:"confused_pairs,omitempty"`
	// rounds of the Critic loop, in order
	LoopRounds []LoopRoundSummary `json:"loops,omitempty"`

	// decisions that were executed differently than proposed, in turns with several decisions; most
	// frequent first
	Corrections []Correction `json:"corrections,omitempty"`

	// calibration of the deciding model, without a fault and over all cases; nil: unknown
	Confidence *ConfidenceSummary `json:"confidence,omitempty"`
}

// ConfidenceSummary measures how well the stated confidence of the deciding model predicts that its
// decision is correct. It covers the labeled turns with a model decision.
type ConfidenceSummary struct {
	MeanConfidence float64 `json:"mean_confidence"` // mean of the confidences that the model stated
	// share of the model's own decisions that are correct, before other components override them
	Accuracy Estimate `json:"accuracy"`
	// expected calibration error (confidence.ece) of a perfectly calibrated model, by chance alone
	ECEIfCalibrated float64 `json:"ece_if_calibrated"`
	// reliability table: ten bins with equally many answers, lowest confidence first
	Bins []ConfidenceBin `json:"bins"`
	// risk-coverage curve, highest confidence first; at most one point per percent of coverage; the
	// last point covers all answers
	RiskCoverage []RiskPoint `json:"risk_coverage"`
	// area under the risk-coverage curve; equals the error rate if confidence carries no
	// information
	AURC float64 `json:"aurc"`
}

// ConfidenceBin is one row of the reliability table: the answers with similar confidence and how
// many of them are correct.
type ConfidenceBin struct {
	Lo             float64  `json:"lo"` // Lo and Hi are the lowest and the highest confidence in the bin
	Hi             float64  `json:"hi"`
	MeanConfidence float64  `json:"mean_confidence"`
	Accuracy       Estimate `json:"accuracy"` // share of the bin's answers that are correct
}

// RiskPoint is one point of the risk-coverage curve: the result of accepting only answers with at
// least this confidence.
type RiskPoint struct {
	Threshold float64  `json:"threshold"`
	Coverage  float64  `json:"coverage"` // share of all answers that are accepted
	Risk      Estimate `json:"risk"`     // share of the accepted answers that are wrong
}

// LoopRoundSummary describes the nth round of a condition's Critic loops: how many turns reached
// it, the results of its attempts, and the cost that it added per turn.
type LoopRoundSummary struct {
	Round        int      `json:"loop"`    // number of the round, from 1
	ReachedTurns int64    `json:"reached"` // number of turns that reached this round
	Passed       Estimate `json:"passed"`  // share of these turns whose attempt passed
	// number of turns that may start no further round although their attempt did not pass
	Exhausted int64 `json:"exhausted"`
	// number of attempts with an image label whose critic did not receive the labeled image
	LabeledImageNotShown int64    `json:"label_not_shown,omitempty"`
	Score                Estimate `json:"score"` // mean score that the critic gave
	// mean score minus the mean score of the previous round; includes regression to the mean
	RawGain Estimate `json:"raw_gain"`
	// mean time that the round added, in milliseconds; the next three fields are means too
	AddedMillis Estimate `json:"added_ms"`
	AddedCalls  Estimate `json:"added_calls"`
	AddedTokens Estimate `json:"added_tokens"`
	AddedCost   Estimate `json:"added_cost"` // mean cost in USD; without a value: a call has no price

	// Gain and GainLowerBound are set for the second round only. Gain is the mean score minus the
	// mean of an independent second judgment of the first attempt. The true gain lies between
	// GainLowerBound and Gain, however noisy the critic is.
	Gain           *Estimate `json:"gain,omitempty"`
	GainLowerBound *float64  `json:"gain_lower_bound,omitempty"`
}

// NoFault is the value of a result's Fault if no fault was injected.
const NoFault = "none"

// Estimate is the measured value of a metric, with its confidence interval and the number of trials
// behind it. Value is nil if nothing was measured.
type Estimate struct {
	Value *float64 `json:"value"` // the measured value; nil: nothing was measured
	// lower end of the 95 % confidence interval; a Lo without a Hi is a one-sided bound
	Lo    *float64 `json:"lo,omitempty"`
	Hi    *float64 `json:"hi,omitempty"`    // upper end of the 95 % confidence interval
	N     int64    `json:"n"`               // number of trials (or turns, or calls) that the value is computed from
	Cases int64    `json:"cases,omitempty"` // number of cases that the N trials belong to, if smaller than N
	// number of trials (or turns, or calls) that should have a value but have none
	Missing int64 `json:"missing"`
	// number of measured values that equal a quantile, if more than one
	Ties        int64    `json:"ties,omitempty"`
	WorstCase   *float64 `json:"worst_case,omitempty"`    // the value if all missing trials were wrong
	BestCase    *float64 `json:"best_case,omitempty"`     // the value if all missing trials were correct
	WorstCaseLo *float64 `json:"worst_case_lo,omitempty"` // lower end of the confidence interval of WorstCase
	BestCaseHi  *float64 `json:"best_case_hi,omitempty"`  // upper end of the confidence interval of BestCase
}

// Confusion is a confusion matrix: it counts trials by expected label (row) and predicted label
// (column). An accepted alternative counts as the primary label. The matrix is omitted for more
// than 500 expected labels, or for more than 100 labels that were only predicted.
type Confusion struct {
	// the expected labels in alphabetical order, then labels that were only predicted
	Labels         []string `json:"labels"`
	ExpectedLabels int      `json:"expected_labels"` // number of expected labels, which come first in Labels
	// counts[i][j]: number of trials with the expected label Labels[i] and the predicted label
	// Labels[j]
	Counts [][]int64 `json:"counts"`
	// label in this matrix for answers without a valid label; "": there were none
	InvalidLabel string `json:"invalid_label,omitempty"`
}

// ConfusedPair counts the trials that expected one label and got another, with the IDs of some of
// their cases.
type ConfusedPair struct {
	Expected  string   `json:"expected"`
	Predicted string   `json:"predicted"`
	N         int64    `json:"n"`     // number of trials with this mistake
	Cases     []string `json:"cases"` // IDs of some of the cases
}

// Correction counts decisions for which one label was proposed and another was executed. Cases
// lists the IDs of some of the cases.
type Correction struct {
	Proposed string   `json:"proposed"`
	Executed string   `json:"executed"`
	N        int64    `json:"n"` // number of decisions
	Cases    []string `json:"cases"`
}

// GateVerdict is the result of one gate rule over all conditions that it selects.
type GateVerdict struct {
	Rule    string       `json:"rule"` // the rule in canonical form
	Verdict GateDecision `json:"verdict"`
	Passed  bool         `json:"passed"` // the verdict is GatePassed
	Reason  string       `json:"reason"` // the worst condition with its value, or the data that are missing
	// number of cases needed to decide the rule with 80 % power, if it is undecided
	CasesNeeded int64 `json:"cases_needed,omitempty"`
	// the rule is undecided, and the cases could not even detect three times its margin
	TooFewCases bool `json:"too_few_cases,omitempty"`

	// conditions with this verdict, the worst first, at most [MaxListedGateConditions]; only the
	// worst one if the gate passed
	Conditions         []GateCondition `json:"conditions,omitempty"`
	DecidingConditions int64           `json:"deciding,omitempty"` // number of conditions with this verdict
	SelectedConditions int64           `json:"selected,omitempty"` // number of conditions that the rule selects

	NoData bool `json:"-"` // the gate failed because there were no data to evaluate or to compare with
}

// MaxListedGateConditions is the maximum number of conditions that a gate verdict lists.
const MaxListedGateConditions = 10

// GateCondition is the result of a gate rule in one condition (suite, variant and fault).
type GateCondition struct {
	Suite   string `json:"suite,omitempty"` // name of the suite; "": the result belongs to no single condition
	Variant string `json:"variant,omitempty"`
	Fault   string `json:"fault,omitempty"`
	Value   string `json:"value"`            // the measured value with its interval and n, or the data that are missing
	Detail  string `json:"detail,omitempty"` // explanation of the result, and what the user can do
	// the first newly failing cases, for a rule on new failures, at most [MaxListedNewFailures]
	NewFailures     []NewFailure `json:"new_failures,omitempty"`
	NewFailureCount int64        `json:"failed_cases,omitempty"` // total number of newly failing cases
}

// MaxListedNewFailures is the maximum number of newly failing cases that a condition lists.
const MaxListedNewFailures = 4

// NewFailure is a case that was correct in the baseline run and is wrong now.
type NewFailure struct {
	Case   string `json:"case"`
	Text   string `json:"text,omitempty"`   // the first [MaxTextChars] characters of the message
	Before string `json:"before,omitempty"` // label that was predicted in the baseline run
	After  string `json:"after,omitempty"`  // label that is predicted now; "": no answer
}

// GateDecision is the conclusion of a gate rule: passed, failed or undecided.
type GateDecision string

const (
	GatePassed    GateDecision = "pass"
	GateFailed    GateDecision = "fail"
	GateUndecided GateDecision = "undecided"
)

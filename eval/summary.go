package eval

import (
	"slices"
)

// Summary contains the findings of a run, derived from its results alone. It contains no times or
// IDs of the run, so equal runs have equal summaries.
type Summary struct {
	FormatVersion int `json:"format_version,omitempty"` // version of the file format; 0: not from a file
	// the run did not end, results are missing, or it is a shard
	Partial bool           `json:"partial,omitempty"`
	Shard   *Shard         `json:"shard,omitempty"` // the completed shard; null: the whole run
	Suites  []SuiteSummary `json:"suites"`
	Gates   []GateVerdict  `json:"gates"`
}

// SuiteSummary contains the findings of one suite.
type SuiteSummary struct {
	Name    string   `json:"name"`
	Target  string   `json:"target"`
	Dataset string   `json:"dataset"`
	Split   string   `json:"split,omitempty"`
	Tags    []string `json:"tags,omitempty"`  // tags that all cases have
	Limit   int64    `json:"limit,omitempty"` // only the first cases, up to this number; 0: all
	// number of cases sampled in proportion to their labels; 0: all
	Sample int64 `json:"sample,omitempty"`
	// run in which these cases failed; metrics do not describe the whole dataset
	FailedIn string `json:"only_failing,omitempty"`
	// number of cases with the split and the tags, if Cases is smaller
	AvailableCases int64 `json:"available_cases,omitempty"`
	Cases          int64 `json:"cases"`
	// number of cases in the training split of the baseline models; they are scored by baseline
	// models trained without them
	TrainingCases int64       `json:"training_cases,omitempty"`
	Epochs        int         `json:"epochs"` // requested runs of each case
	Time          string      `json:"clock"`  // real or simulated
	Models        []ModelNote `json:"models"` // models behind the numbers

	// Prompts maps each variant with custom prompts to a hash of their content. A variant that is
	// absent uses the default prompts.
	Prompts map[string]string `json:"prompts,omitempty"`

	// every fault is injected into every component that supports it
	FaultMatrix  bool `json:"fault_matrix,omitempty"`
	DecisionOnly bool `json:"decision_only,omitempty"` // trials stopped after the decision
	// the correct label also depends on the state of a turn
	StateDependent  bool     `json:"state_dependent,omitempty"`
	OOSLabel        string   `json:"oos_label,omitempty"` // label for everything that fits no other label
	DecisionSources []string `json:"-"`                   // possible values of decided_by, as in the replies
	Decider         string   `json:"-"`                   // node that calls the deciding model; "": unknown

	// LabelsWithoutCases are declared labels that no case of the run expects. Macro-F1 omits them.
	LabelsWithoutCases []string `json:"labels_without_cases,omitempty"`

	Conditions []ConditionSummary `json:"conditions"`
	// metrics over the cases of one tag, if a gate requires them
	Slices []ConditionSummary `json:"slices,omitempty"`

	// variant that the others are compared with; "": the first
	BaselineVariant string         `json:"baseline_variant,omitempty"`
	Differences     []Difference   `json:"differences,omitempty"`
	FaultOutcomes   []FaultOutcome `json:"fault_outcomes,omitempty"`
}

// ModelNote describes the model of a component.
type ModelNote struct {
	Component string `json:"component"` // router, chat, search …
	Kind      string `json:"kind"`      // real, simulated, or trained in the process
	Note      string `json:"note"`      // such as the specified accuracy, or the URL

	// variants that the note applies to; nil: all that use the component
	Variants []string `json:"variants,omitempty"`

	// Latency is the source of the component's time in a run with real components; "": no component
	// is real.
	Latency Latency `json:"latency,omitempty"`

	LabelBased bool `json:"label_based,omitempty"` // it decides by the labels of the cases, not by its input
	// it scores as the cases specify: its scores have no noise, and there is no regression to the
	// mean
	Noiseless bool `json:"noiseless,omitempty"`
}

// Latency is the source of a component's time in a run with real components.
type Latency string

// The kinds of Latency.
const (
	Measured Latency = "measured"
	Recorded Latency = "as recorded"
	LeftOut  Latency = "left out" // the component is simulated and answers at once
)

// LabelBasedText is the note that reports print when they compare prompts of a simulated model.
const LabelBasedText = "Simulated models do not read prompts: these results say nothing about prompts. To compare prompts, set --model (evalctl help real-models)"

// HasUnreadPrompts reports whether the variants without a real model have different prompts. A
// difference between such variants is not caused by their prompts.
func (s SuiteSummary) HasUnreadPrompts(variants ...string) bool {
	seen := map[string]bool{}
	for _, name := range variants {
		isTrained := slices.ContainsFunc(s.Conditions,
			func(c ConditionSummary) bool { return c.Name == name && c.BaselineModel })
		if !isTrained && !s.HasReal(name) {
			seen[s.Prompts[name]] = true
		}
	}
	return len(seen) > 1
}

// HasReal reports whether a component of the variant used a real endpoint.
func (s SuiteSummary) HasReal(variant string) bool {
	return slices.ContainsFunc(s.Models, func(m ModelNote) bool {
		return m.Kind == "real" && (m.Variants == nil || slices.Contains(m.Variants, variant))
	})
}

// DecidesByLabels reports whether the variant's deciding model is simulated, so that its errors are
// random.
func (s SuiteSummary) DecidesByLabels(variant string) bool {
	return slices.ContainsFunc(s.Models, func(m ModelNote) bool {
		return m.LabelBased && (m.Variants == nil || slices.Contains(m.Variants, variant))
	})
}

// ConditionSummary contains the metrics of one variant under one fault.
type ConditionSummary struct {
	Name  string `json:"variant"`
	Fault string `json:"fault"` // "none" without one
	// the variant is a baseline model, trained in the process
	BaselineModel bool `json:"baseline_model,omitempty"`
	// the expected outcome is our decision; the specification does not define it
	OurDecision bool                `json:"our_decision,omitempty"`
	Tag         string              `json:"tag,omitempty"` // tag that all its cases have; "": all cases
	Trials      int64               `json:"trials"`
	Metrics     map[string]Estimate `json:"metrics"`
	// labels of the suite that no scored turn of the condition expects; macro-F1 omits them
	LabelsWithoutCases int64          `json:"labels_without_cases,omitempty"`
	Confusion          *Confusion     `json:"confusion,omitempty"`
	ConfusedPairs      []ConfusedPair `json:"confused_pairs,omitempty"` // most frequent first
	// rounds of the Critic loop, the first round first
	Loops []LoopSummary `json:"loops,omitempty"`

	// corrections of decisions in turns with several decisions, most frequent first
	Corrections []Correction `json:"corrections,omitempty"`

	// of the deciding model, without a fault and over all cases; nil: unknown
	Confidence *ConfidenceSummary `json:"confidence,omitempty"`
}

// ConfidenceSummary measures how reliable the confidence of a condition's deciding model is. It
// covers the labeled turns with a model decision.
type ConfidenceSummary struct {
	MeanConfidence float64  `json:"mean_confidence"` // mean stated confidence
	Accuracy       Estimate `json:"accuracy"`        // share of the model's own decisions that are correct
	// expected confidence.ece if every bin were calibrated as stated by its mean confidence
	ECEIfCalibrated float64 `json:"ece_if_calibrated"`
	// ten bins of equal size, lowest confidence first; fewer if confidences are equal
	Bins []ConfidenceBin `json:"bins"`
	// highest confidence first; at most one point per percent of coverage; the last point covers
	// all answers
	RiskCoverage []RiskPoint `json:"risk_coverage"`
	// area under the risk-coverage curve; equals the error rate if confidence carries no
	// information
	AURC float64 `json:"aurc"`
}

// ConfidenceBin is a row of the reliability table.
type ConfidenceBin struct {
	Lo             float64  `json:"lo"` // Lo and Hi: lowest and highest confidence in the bin
	Hi             float64  `json:"hi"`
	MeanConfidence float64  `json:"mean_confidence"`
	Accuracy       Estimate `json:"accuracy"` // share of the bin's answers that are correct
}

// RiskPoint describes a confidence threshold: the answers at or above it are accepted.
type RiskPoint struct {
	Threshold float64  `json:"threshold"`
	Coverage  float64  `json:"coverage"` // share of all answers that are accepted
	Risk      Estimate `json:"risk"`     // share of the accepted answers that are wrong
}

// LoopSummary is the nth round of a condition's Critic loops: how many turns reached it, the
// results of its attempts, and the cost it added per turn.
type LoopSummary struct {
	Loop      int      `json:"loop"` // from 1
	Reached   int64    `json:"reached"`
	Passed    Estimate `json:"passed"`
	Exhausted int64    `json:"exhausted"` // did not pass, and no further round is allowed
	// labeled attempts whose critic did not receive the labeled input
	LabelNotShown int64    `json:"label_not_shown,omitempty"`
	Score         Estimate `json:"score"`    // mean
	RawGain       Estimate `json:"raw_gain"` // mean difference to the round before; includes regression to the mean
	AddedMillis   Estimate `json:"added_ms"` // mean, as are AddedCalls, AddedTokens and AddedCost
	AddedCalls    Estimate `json:"added_calls"`
	AddedTokens   Estimate `json:"added_tokens"`
	AddedCost     Estimate `json:"added_cost"` // USD; no value: a call has no price

	// Gain and GainLowerBound are for the second round. Gain is the mean difference to a second
	// judgment of the first attempt. The true gain lies between GainLowerBound and Gain for any
	// noise of the critic.
	Gain           *Estimate `json:"gain,omitempty"`
	GainLowerBound *float64  `json:"gain_lower_bound,omitempty"`
}

// NoFault is the fault name of a condition without an injected fault.
const NoFault = "none"

// Estimate is a metric's value. Value is nil if nothing was measured.
type Estimate struct {
	Value *float64 `json:"value"`
	Lo    *float64 `json:"lo,omitempty"` // 95 % interval; without Hi it is a one-sided lower bound
	Hi    *float64 `json:"hi,omitempty"`
	N     int64    `json:"n"`               // trials (or turns, calls) behind the value
	Cases int64    `json:"cases,omitempty"` // cases behind N, if fewer than N
	// trials (or turns, calls) that should have a value but have none
	Missing     int64    `json:"missing"`
	Ties        int64    `json:"ties,omitempty"`          // number of values equal to a quantile, if more than one
	WorstCase   *float64 `json:"worst_case,omitempty"`    // the value if all missing trials were wrong
	BestCase    *float64 `json:"best_case,omitempty"`     // the value if all missing trials were correct
	WorstCaseLo *float64 `json:"worst_case_lo,omitempty"` // lower bound of the interval of WorstCase
	BestCaseHi  *float64 `json:"best_case_hi,omitempty"`  // upper bound of the interval of BestCase
}

// Confusion counts trials by expected (row) and predicted (column) label. An accepted alternative
// counts as the primary label. The table grows with the square of the labels. It is omitted for
// more than 500 expected labels, or more than 100 labels that were only predicted.
type Confusion struct {
	Labels         []string  `json:"labels"`          // expected labels by name, then labels that were only predicted
	ExpectedLabels int       `json:"expected_labels"` // number of expected labels, the first in Labels
	Counts         [][]int64 `json:"counts"`
	// label of answers without a valid label; "": there were none
	InvalidLabel string `json:"invalid_label,omitempty"`
}

// ConfusedPair is one kind of wrong answer, with some of its cases.
type ConfusedPair struct {
	Expected  string   `json:"expected"`
	Predicted string   `json:"predicted"`
	N         int64    `json:"n"`
	Cases     []string `json:"cases"`
}

// Correction counts decisions that were executed differently than proposed, with some of their
// cases.
type Correction struct {
	Proposed string   `json:"proposed"`
	Executed string   `json:"executed"`
	N        int64    `json:"n"` // decisions
	Cases    []string `json:"cases"`
}

// GateVerdict is the result of one gate rule.
type GateVerdict struct {
	Rule        string   `json:"rule"`
	Verdict     Decision `json:"verdict"`
	Passed      bool     `json:"passed"`                 // the verdict is GatePassed
	Reason      string   `json:"reason"`                 // the worst condition and its value, or the missing data
	CasesNeeded int64    `json:"cases_needed,omitempty"` // cases needed for a decision with 80 % power, if undecided
	// undecided, and the cases could not detect three times the margin
	TooFewCases bool `json:"too_few_cases,omitempty"`

	// conditions with this verdict, worst first, at most [MaxGateConditions]; one if the gate
	// passed
	Conditions []GateCondition `json:"conditions,omitempty"`
	Deciding   int64           `json:"deciding,omitempty"` // number of conditions with this verdict
	Selected   int64           `json:"selected,omitempty"` // number of conditions that the rule selects

	NoData bool `json:"-"` // failed because there was no data to evaluate or compare
}

// MaxGateConditions is how many conditions a verdict lists.
const MaxGateConditions = 10

// GateCondition is the result of a rule in one condition.
type GateCondition struct {
	Suite   string `json:"suite,omitempty"` // "": the result belongs to no single condition
	Variant string `json:"variant,omitempty"`
	Fault   string `json:"fault,omitempty"`
	Value   string `json:"value"`            // the measured value with interval and n, or what is missing
	Detail  string `json:"detail,omitempty"` // the explanation, and what to do
	// the first cases of a rule on new failures, at most [MaxNewFailures]
	NewFailures []NewFailure `json:"new_failures,omitempty"`
	FailedCases int64        `json:"failed_cases,omitempty"` // number of newly failing cases
}

// MaxNewFailures is how many newly failing cases a condition lists.
const MaxNewFailures = 4

// NewFailure is a case that was correct in the baseline run and is wrong now.
type NewFailure struct {
	Case   string `json:"case"`
	Text   string `json:"text,omitempty"`   // the first [MaxText] characters
	Before string `json:"before,omitempty"` // predicted label in the baseline run
	After  string `json:"after,omitempty"`  // predicted label now; "": no answer
}

// Decision is the result of a gate rule.
type Decision string

const (
	GatePassed    Decision = "pass"
	GateFailed    Decision = "fail"
	GateUndecided Decision = "undecided"
)

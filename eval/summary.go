package eval

import (
	"slices"
)

// Summary is what a run found, derived from its results alone: no times or
// ids of the run itself, so that equal runs have equal summaries.
type Summary struct {
	FormatVersion int            `json:"format_version,omitempty"` // of a file; 0: the summary is in memory
	Partial       bool           `json:"partial,omitempty"`        // the run did not end, results of it are lacking, or it is a shard
	Shard         *Shard         `json:"shard,omitempty"`          // the part of a run that was played to its end; null: of the whole
	Suites        []SuiteSummary `json:"suites"`
	Gates         []GateVerdict  `json:"gates"`
}

// SuiteSummary is one suite's part.
type SuiteSummary struct {
	Name           string      `json:"name"`
	Target         string      `json:"target"`
	Dataset        string      `json:"dataset"`
	Split          string      `json:"split,omitempty"`
	Tags           []string    `json:"tags,omitempty"`            // that all cases have
	Limit          int64       `json:"limit,omitempty"`           // the first so many of them
	Sample         int64       `json:"sample,omitempty"`          // so many of them, in proportion to their labels
	FailedIn       string      `json:"only_failing,omitempty"`    // the run in which these cases failed: figures are not of the set
	AvailableCases int64       `json:"available_cases,omitempty"` // how many have the split and the tags, where these are fewer
	Cases          int64       `json:"cases"`
	TrainingCases  int64       `json:"training_cases,omitempty"` // of them, in the split that the suite's floors learn: they are asked of floors that have not seen them
	Epochs         int         `json:"epochs"`                   // times that each case was to be played
	Time           string      `json:"clock"`                    // real or simulated
	Models         []ModelNote `json:"models"`                   // what stood behind the numbers

	// Prompts identifies the prompts of each variant that sets some, by their content. A variant
	// that is not listed has the usual prompts.
	Prompts map[string]string `json:"prompts,omitempty"`

	FaultMatrix     bool     `json:"fault_matrix,omitempty"`    // every part is struck by every fault that can strike it
	DecisionOnly    bool     `json:"decision_only,omitempty"`   // trials stopped after the decision
	StateDependent  bool     `json:"state_dependent,omitempty"` // what is right follows from the state of a turn, too
	OOSLabel        string   `json:"oos_label,omitempty"`       // the label that stands for all that is none of the others
	DecisionSources []string `json:"-"`                         // who may have decided, as replies name them
	Decider         string   `json:"-"`                         // the node under which a model is asked to decide; "": nobody knows

	// LabelsWithoutCases are the declared labels that no case of the run expects. Macro-F1
	// leaves them out.
	LabelsWithoutCases []string `json:"labels_without_cases,omitempty"`

	Conditions []ConditionSummary `json:"conditions"`
	Slices     []ConditionSummary `json:"slices,omitempty"` // the same over the cases of one tag, where a gate asks for it

	BaselineVariant string         `json:"baseline_variant,omitempty"` // the variant that the others are held against; "": the first
	Differences     []Difference   `json:"differences,omitempty"`
	FaultOutcomes   []FaultOutcome `json:"fault_outcomes,omitempty"`
}

// ModelNote says what a component's model really was.
type ModelNote struct {
	Component string `json:"component"` // router, chat, search …
	Kind      string `json:"kind"`      // real, simulated, or trained in the process
	Note      string `json:"note"`      // such as the stated accuracy, or the URL

	Variants []string `json:"variants,omitempty"` // in which it is so; none: in all that make use of the component

	// Latency says whether the part's time is in the latencies of a run with real parts; "": no part is real.
	Latency Latency `json:"latency,omitempty"`

	LabelBased bool `json:"label_based,omitempty"` // it decides by the labels of the cases, whatever it is asked
	Noiseless  bool `json:"noiseless,omitempty"`   // it judges as the cases say: its scores have no noise, and nothing is gained
}

// Latency says where the time of a part comes from, beside real parts.
type Latency string

// The kinds of Latency.
const (
	Measured Latency = "measured"
	Recorded Latency = "as recorded"
	LeftOut  Latency = "left out" // the part is simulated and answers at once
)

// LabelBasedText is what a report says wherever it compares prompts of a simulated model.
const LabelBasedText = "Simulated models do not read prompts: these results say nothing about prompts. To compare prompts, set --model (evalctl help real-models)"

// HasUnreadPrompts reports whether those of the variants without a real model differ in their
// prompts: then no difference between them is one of the prompts.
func (s SuiteSummary) HasUnreadPrompts(variants ...string) bool {
	seen := map[string]bool{}
	for _, name := range variants {
		isTrained := slices.ContainsFunc(s.Conditions, func(c ConditionSummary) bool { return c.Name == name && c.BaselineModel })
		if !isTrained && !s.HasReal(name) {
			seen[s.Prompts[name]] = true
		}
	}
	return len(seen) > 1
}

// HasReal reports whether a real endpoint stood behind some part of a variant.
func (s SuiteSummary) HasReal(variant string) bool {
	return slices.ContainsFunc(s.Models, func(m ModelNote) bool {
		return m.Kind == "real" && (m.Variants == nil || slices.Contains(m.Variants, variant))
	})
}

// DecidesByLabels reports whether a variant's deciding model is simulated, so that its
// errors are drawn at random.
func (s SuiteSummary) DecidesByLabels(variant string) bool {
	return slices.ContainsFunc(s.Models, func(m ModelNote) bool {
		return m.LabelBased && (m.Variants == nil || slices.Contains(m.Variants, variant))
	})
}

// ConditionSummary holds the metrics of one variant under one fault.
type ConditionSummary struct {
	Name               string              `json:"variant"`
	Fault              string              `json:"fault"`                    // "none" without one
	BaselineModel      bool                `json:"baseline_model,omitempty"` // learned in the process: what every other is to beat
	OurDecision        bool                `json:"our_decision,omitempty"`   // what is to come of its fault nothing lays down: the house has settled it
	Tag                string              `json:"tag,omitempty"`            // that all its cases have; "": it is of all cases
	Trials             int64               `json:"trials"`
	Metrics            map[string]Estimate `json:"metrics"`
	LabelsWithoutCases int64               `json:"labels_without_cases,omitempty"` // labels of the suite that no scored turn of the cell expects: macro-F1 leaves them out
	Confusion          *Confusion          `json:"confusion,omitempty"`
	ConfusedPairs      []ConfusedPair      `json:"confused_pairs,omitempty"` // most frequent first
	Loops              []LoopSummary       `json:"loops,omitempty"`          // of the critic, the first round first

	Corrections []Correction `json:"corrections,omitempty"` // of decisions made again and again, most frequent first

	Confidence *ConfidenceSummary `json:"confidence,omitempty"` // of the deciding model, without a fault and over all cases; nil: none is known
}

// ConfidenceSummary says how far the confidence of a cell's deciding model can be
// believed, over the labelled turns in which it said what it would decide.
type ConfidenceSummary struct {
	MeanConfidence  float64         `json:"mean_confidence"`   // confidence
	Accuracy        Estimate        `json:"accuracy"`          // share of its own decisions
	ECEIfCalibrated float64         `json:"ece_if_calibrated"` // what confidence.ece would be on average if Mean were right in every bin
	Bins            []ConfidenceBin `json:"bins"`              // ten of as many answers each, the least confident first; fewer where confidences are equal
	RiskCoverage    []RiskPoint     `json:"risk_coverage"`     // the surest first: one point for each whole percent of coverage at most, the last of all answers
	AURC            float64         `json:"aurc"`              // the area under the curve of risk over coverage; the share of wrong answers where confidence tells nothing
}

// ConfidenceBin is a row of the reliability table.
type ConfidenceBin struct {
	Lo             float64  `json:"lo"` // the least and the greatest confidence
	Hi             float64  `json:"hi"`
	MeanConfidence float64  `json:"mean_confidence"`
	Accuracy       Estimate `json:"accuracy"` // share of its answers
}

// RiskPoint is what a threshold on confidence keeps: the answers at or above it.
type RiskPoint struct {
	Threshold float64  `json:"threshold"`
	Coverage  float64  `json:"coverage"` // share of all answers that are kept
	Risk      Estimate `json:"risk"`     // share of those kept that are wrong
}

// LoopSummary is the nth round of a cell's Critic loops: how many turns came
// to it, how its attempts were judged, and what it added to each of them.
type LoopSummary struct {
	Loop          int      `json:"loop"` // from 1
	Reached       int64    `json:"reached"`
	Passed        Estimate `json:"passed"`
	Exhausted     int64    `json:"exhausted"`                 // did not pass and may not go round once more
	LabelNotShown int64    `json:"label_not_shown,omitempty"` // labelled attempts whose label is about what the critic was not shown
	Score         Estimate `json:"score"`                     // mean
	RawGain       Estimate `json:"raw_gain"`                  // mean difference to the round before, raw: it includes regression to the mean
	AddedMillis   Estimate `json:"added_ms"`                  // means, as the next
	AddedCalls    Estimate `json:"added_calls"`
	AddedTokens   Estimate `json:"added_tokens"`
	AddedCost     Estimate `json:"added_cost"` // USD; no value: something has no price

	// Of the second round: the mean difference to a second judgement of the first
	// one's attempt; and what the true gain is at least, whatever the critic's
	// noise, with Gain as the most.
	Gain           *Estimate `json:"gain,omitempty"`
	GainLowerBound *float64  `json:"gain_lower_bound,omitempty"`
}

// NoFault names the cell without an injected fault.
const NoFault = "none"

// Estimate is a metric's value. Value is nil when nothing was measured.
type Estimate struct {
	Value       *float64 `json:"value"`
	Lo          *float64 `json:"lo,omitempty"` // 95 % interval; without Hi one-sided, «at least»
	Hi          *float64 `json:"hi,omitempty"`
	N           int64    `json:"n"`                       // trials (or turns, calls) behind the value
	Cases       int64    `json:"cases,omitempty"`         // behind n, where they are fewer
	Missing     int64    `json:"missing"`                 // trials (or turns, calls) that should have the figure and have not
	Ties        int64    `json:"ties,omitempty"`          // values equal to a quantile, where several are
	WorstCase   *float64 `json:"worst_case,omitempty"`    // the value if all missing were wrong
	BestCase    *float64 `json:"best_case,omitempty"`     // and if all were right
	WorstCaseLo *float64 `json:"worst_case_lo,omitempty"` // the lower bound of the interval there
	BestCaseHi  *float64 `json:"best_case_hi,omitempty"`  // and the upper one
}

// Confusion counts trials by expected (row) and predicted (column) label. An
// answer that is accepted in place of the primary label counts as that. It grows
// with the square of the labels: none is kept of more than 500 that are expected,
// or 100 that were predicted besides.
type Confusion struct {
	Labels         []string  `json:"labels"`          // what is expected, by name, then what was predicted besides
	ExpectedLabels int       `json:"expected_labels"` // so many of them are expected
	Counts         [][]int64 `json:"counts"`
	InvalidLabel   string    `json:"invalid_label,omitempty"` // what was predicted where an answer was none of the labels; "": none was
}

// ConfusedPair is one kind of wrong answer, with some of its cases.
type ConfusedPair struct {
	Expected  string   `json:"expected"`
	Predicted string   `json:"predicted"`
	N         int64    `json:"n"`
	Cases     []string `json:"cases"`
}

// Correction is what was done in place of what a decision asked for, with some of its
// cases.
type Correction struct {
	Proposed string   `json:"proposed"`
	Executed string   `json:"executed"`
	N        int64    `json:"n"` // decisions
	Cases    []string `json:"cases"`
}

// GateVerdict is one gate rule's outcome.
type GateVerdict struct {
	Rule        string   `json:"rule"`
	Verdict     Decision `json:"verdict"`
	Passed      bool     `json:"passed"`                  // the verdict is GatePassed
	Reason      string   `json:"reason"`                  // the worst cell and its value, or what was missing
	CasesNeeded int64    `json:"cases_needed,omitempty"`  // cases that would decide it with 80 % power, where it is undecided
	TooFewCases bool     `json:"too_few_cases,omitempty"` // undecided, and the set could not have shown three times the margin

	Conditions []GateCondition `json:"conditions,omitempty"` // those with this verdict, worst first, at most [MaxGateConditions]; one if it passed
	Deciding   int64           `json:"deciding,omitempty"`   // number of conditions with this verdict
	Selected   int64           `json:"selected,omitempty"`   // number of conditions that the rule selects

	NoData bool `json:"-"` // failed because there was nothing to judge, or to compare
}

// MaxGateConditions is how many conditions a verdict lists.
const MaxGateConditions = 10

// GateCondition is the result of a rule in one condition.
type GateCondition struct {
	Suite       string       `json:"suite,omitempty"` // "": the result belongs to no single condition
	Variant     string       `json:"variant,omitempty"`
	Fault       string       `json:"fault,omitempty"`
	Value       string       `json:"value"`                  // the measured value with interval and n, or what is missing
	Detail      string       `json:"detail,omitempty"`       // the explanation, and what to do
	NewFailures []NewFailure `json:"new_failures,omitempty"` // the first cases of a rule on new failures, at most [MaxNewFailures]
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

// Decision is what a gate rule came to.
type Decision string

const (
	GatePassed    Decision = "pass"
	GateFailed    Decision = "fail"
	GateUndecided Decision = "undecided"
)

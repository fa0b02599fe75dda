// Package tune selects a confidence threshold from the results of a finished run, without running
// anything again. Below the threshold, a fallback decides instead of the model. The results contain
// both decisions. Therefore the accuracy at any threshold is exactly that of a run with this
// threshold.
package tune

import (
	"fmt"

	"evalctl/eval"
)

// maxPoints is the maximum number of thresholds in Tuning.Points.
const maxPoints = 10_001

// Config configures the tuning of one condition: a variant and a fault.
type Config struct {
	CurrentThreshold *float64 // threshold of the run; nil: derived from the decisions
	// OOSLabel is the out-of-scope label; "": none. It is also the decision below the threshold if
	// the results contain none, because the agent has no threshold.
	OOSLabel string
	// FixedCost states that the cost of a trial does not depend on the threshold, because the trial
	// ends with the decision of the model.
	FixedCost bool
	Objective Objective // what the best threshold is best at; zero: accuracy
	// OOSPrior is the share of out-of-scope messages to expect in production. It replaces the share
	// in the data; 0: that of the data.
	OOSPrior float64
	Folds    int    // number of cross-validation folds; 0: DefaultFolds
	Seed     uint64 // seed for assigning cases to folds and for random samples
}

// DefaultFolds is the default number of cross-validation folds.
const DefaultFolds = 10

// Tuning is the result of tuning the threshold.
type Tuning struct {
	Cases            int64 `json:"cases"`             // number of cases with a scored trial
	Trials           int64 `json:"trials"`            // number of scored trials
	UnscoredTrials   int64 `json:"missing"`           // number of unscored trials, which no threshold changes
	Turns            int64 `json:"turns"`             // number of labeled turns in the scored trials
	ThresholdedTurns int64 `json:"thresholded_turns"` // number of turns whose decision depends on a threshold
	// number of ThresholdedTurns without a confidence, which counts as 0
	WithoutConfidence int64 `json:"without_confidence"`
	MultiTurn         bool  `json:"multi_turn"` // some trials have several labeled turns
	// the agent has no threshold of its own; below the threshold, the out-of-scope label decides
	AgentLacksThreshold bool   `json:"proposed,omitempty"`
	OOSLabel            string `json:"oos_label,omitempty"` // out-of-scope label; "": none

	// number of turns whose decision contradicts the current threshold; they are treated as
	// independent of a threshold
	InconsistentTurns int64 `json:"inconsistent_turns,omitempty"`

	// ObjectiveValue is what the best threshold is best at, as [ParseObjective] accepts it.
	Objective      string  `json:"objective"`
	LimitedMeasure string  `json:"limited,omitempty"` // measure that the objective limits; "": none
	OOSPrior       float64 `json:"prior,omitempty"`   // expected share of out-of-scope messages; 0: that of the data

	// number of turns that accept only the out-of-scope label, and of turns that do not accept it
	OOSTurns     int64 `json:"oos_turns,omitempty"`
	InScopeTurns int64 `json:"in_scope_turns,omitempty"`

	Best              Point `json:"best"`          // results at the best threshold, by the objective
	Current           Point `json:"current"`       // results at the threshold of the run
	CurrentConfigured bool  `json:"current_known"` // the threshold of the run is configured, not derived

	// thresholds that are not significantly worse than the best one at the 95 % level, lowest first
	NotSignificantlyWorse []Range `json:"not_significantly_worse"`

	// accuracy at the best threshold on the same cases; it is too high, because they selected the
	// threshold
	TrainingAccuracy eval.Estimate `json:"training_accuracy"`
	CurrentAccuracy  eval.Estimate `json:"current_accuracy"` // accuracy at the threshold of the run
	// accuracy on cases that were not used to select the threshold
	HeldOutAccuracy eval.Estimate `json:"held_out_accuracy"`
	// the objective, the measure that it limits, and the two classes, on such cases; nil: not
	// measured. A cost is in US dollars per 1,000 trials.
	HeldOutObjective       eval.Estimate  `json:"held_out_objective"`
	HeldOutLimited         *eval.Estimate `json:"held_out_limited,omitempty"`
	HeldOutOOSRecall       *eval.Estimate `json:"held_out_oos_recall,omitempty"`
	HeldOutInScopeAccuracy *eval.Estimate `json:"held_out_in_scope_accuracy,omitempty"`

	HeldOutGain eval.Contrast `json:"held_out_gain"` // held-out objective minus current objective
	// significance of HeldOutGain; InsufficientData: too few cases
	GainState eval.ComparisonState `json:"state"`
	// results of the cross-validation; nil: fewer than two cases
	Folds []Fold `json:"folds"`
	Seed  uint64 `json:"seed"` // seed of the folds and the random samples

	Points []Point `json:"points"` // results by threshold, lowest first; one point for each change of a decision
	// Points does not contain all of them, because there are more than 10,001
	Downsampled bool `json:"downsampled,omitempty"`
}

// Range is a range of thresholds from Lo to Hi.
type Range struct {
	Lo float64 `json:"lo"`
	Hi float64 `json:"hi"`
}

// Fold is one part of the cases in a cross-validation, evaluated at the best threshold of the other
// parts.
type Fold struct {
	Threshold float64 `json:"threshold"` // best threshold on the other folds
	Cases     int64   `json:"cases"`     // number of cases in the fold
	Trials    int64   `json:"trials"`    // number of scored trials in the fold
	Correct   int64   `json:"correct"`   // number of Trials that are right at Threshold
}

// Tuner collects the results of one condition and selects a threshold from them.
type Tuner struct {
	cfg     Config
	trials  []trial
	labels  map[string]bool // labels that some turn accepts
	missing int64
	counts  Tuning // counts of the results added so far

	hasModelDecision bool // a result contains a model decision
	// lowest confidence whose decision was accepted in the run, and highest whose decision was
	// rejected
	lowestTrusted, highestRejected float64
}

// New returns a Tuner. It returns an error if cfg is invalid.
func New(cfg Config) (*Tuner, error) {
	if cfg.Folds == 0 {
		cfg.Folds = DefaultFolds
	}
	if cfg.Folds < 2 {
		return nil, fmt.Errorf("tune.Config.Folds: %d folds leave no case to hold out", cfg.Folds)
	}
	if !(cfg.OOSPrior >= 0 && cfg.OOSPrior < 1) {
		return nil, fmt.Errorf("tune.Config.OOSPrior: %v is not a share below 1", cfg.OOSPrior)
	}
	if p := cfg.CurrentThreshold; p != nil && !(*p >= 0 && *p <= 1) {
		return nil, fmt.Errorf("tune.Config.CurrentThreshold: %v is not in 0..1", *p)
	}
	cfg.Objective.measure = cfg.Objective.goal()
	return &Tuner{
		cfg:             cfg,
		labels:          map[string]bool{},
		lowestTrusted:   2,
		highestRejected: -1,
	}, nil
}

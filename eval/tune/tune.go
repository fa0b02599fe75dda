// Package tune selects a confidence threshold from the results of a finished run, without running
// anything again. The results contain the model's decision and the one that would replace it. The
// accuracy at any threshold is therefore exactly that of a run with this threshold.
package tune

import (
	"fmt"

	"evalctl/eval"
)

// maxPoints is the maximum number of stored points of a sweep.
const maxPoints = 10_001

// Config configures the tuning of one variant under one fault.
type Config struct {
	Current *float64 // threshold of the run; nil: derived from its decisions
	Folds   int      // folds of the held-out estimate; 0: DefaultFolds
	Seed    uint64   // of the folds and of the interval
}

// DefaultFolds is the default number of folds.
const DefaultFolds = 10

// Tuning is the result for the threshold.
type Tuning struct {
	Cases            int64 `json:"cases"`
	Trials           int64 `json:"trials"`            // scored trials
	Missing          int64 `json:"missing"`           // unscored trials, at any threshold
	Turns            int64 `json:"turns"`             // labeled turns of the scored trials
	ThresholdedTurns int64 `json:"thresholded_turns"` // of Turns: those to which a threshold applies
	// of ThresholdedTurns: those without a confidence, which counts as 0
	WithoutConfidence int64 `json:"without_confidence"`
	MultiTurn         bool  `json:"multi_turn"` // some trials have several labeled turns

	// turns to which a threshold applies, but whose decision the current threshold does not
	// explain; their decision is fixed
	InconsistentTurns int64 `json:"inconsistent_turns,omitempty"`

	Best         Point `json:"best"`          // with the most right trials
	Current      Point `json:"current"`       // as in the run
	CurrentKnown bool  `json:"current_known"` // the current threshold is configured, not derived

	// thresholds that are not significantly worse than the best at 95 %, lowest first
	NotSignificantlyWorse []Range `json:"not_significantly_worse"`

	// of the best threshold on the cases that selected it: too high
	TrainingAccuracy eval.Estimate `json:"training_accuracy"`
	CurrentAccuracy  eval.Estimate `json:"current_accuracy"`  // at the current threshold
	HeldOutAccuracy  eval.Estimate `json:"held_out_accuracy"` // on cases that were not used for the selection
	HeldOutGain      eval.Contrast `json:"held_out_gain"`     // held-out accuracy minus current accuracy
	State            eval.State    `json:"state"`             // of HeldOutGain; InsufficientData: too few cases
	Folds            []Fold        `json:"folds"`
	Seed             uint64        `json:"seed"`

	Points      []Point `json:"points"`                // lowest threshold first, one for each change of a decision
	Downsampled bool    `json:"downsampled,omitempty"` // there were more than 10,001
}

// Range is a range of thresholds.
type Range struct {
	Lo float64 `json:"lo"`
	Hi float64 `json:"hi"`
}

// Fold is a held-out part of the cases.
type Fold struct {
	Threshold float64 `json:"threshold"` // best of the other parts
	Cases     int64   `json:"cases"`
	Trials    int64   `json:"trials"`
	Correct   int64   `json:"correct"` // of Trials, at Threshold
}

// Tuner accumulates the rows of one variant under one fault.
type Tuner struct {
	cfg     Config
	trials  []trial
	missing int64
	counts  Tuning // counts while rows are added

	hasModelDecision               bool    // a row has a model decision
	lowestTrusted, highestRejected float64 // lowest trusted confidence, and highest untrusted one
}

// New validates cfg and creates a Tuner.
func New(cfg Config) (*Tuner, error) {
	if cfg.Folds == 0 {
		cfg.Folds = DefaultFolds
	}
	if cfg.Folds < 2 {
		return nil, fmt.Errorf("tune.Config.Folds: %d folds leave no case to hold out", cfg.Folds)
	}
	if p := cfg.Current; p != nil && !(*p >= 0 && *p <= 1) {
		return nil, fmt.Errorf("tune.Config.Current: %v is not in 0..1", *p)
	}
	return &Tuner{cfg: cfg, lowestTrusted: 2, highestRejected: -1}, nil
}

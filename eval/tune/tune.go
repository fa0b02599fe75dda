// Package tune chooses a threshold from the rows of a run that is over, without
// playing anything again. What the deciding model said, and what would have been
// decided in its place, stands in the rows; so the accuracy at any threshold is
// exactly what a run with it would score.
package tune

import (
	"fmt"

	"evalctl/eval"
)

// MaxPoints is how many points of a sweep are kept.
const MaxPoints = 10_001

// Config says what is asked of one variant under one fault.
type Config struct {
	Current *float64 // the threshold with which it was played; nil: as its decisions tell
	Folds   int      // of the held-out estimate; 0: DefaultFolds
	Seed    uint64   // of the folds and of the interval
}

// DefaultFolds is into how many parts cases are split.
const DefaultFolds = 10

// Tuning is what the rows say of the threshold.
type Tuning struct {
	Cases             int64 `json:"cases"`
	Trials            int64 `json:"trials"`             // that were judged
	Missing           int64 `json:"missing"`            // trials without a judged decision, at any threshold
	Turns             int64 `json:"turns"`              // labelled ones of the judged trials
	ThresholdedTurns  int64 `json:"thresholded_turns"`  // of them, how many a threshold stands over
	WithoutConfidence int64 `json:"without_confidence"` // of these, how many state no confidence, which counts as 0
	MultiTurn         bool  `json:"multi_turn"`         // there are trials of several labelled turns

	InconsistentTurns int64 `json:"inconsistent_turns,omitempty"` // turns that a threshold stands over, and that were decided otherwise than by the present one; at any they are as played

	Best         Point `json:"best"`          // with the most right decisions
	Current      Point `json:"current"`       // as played
	CurrentKnown bool  `json:"current_known"` // the present threshold is known, and not only what it decided

	NotSignificantlyWorse []Range `json:"not_significantly_worse"` // thresholds that are not proven to be worse than the best one, at 95 %: the lowest first, those between are

	TrainingAccuracy eval.Estimate `json:"training_accuracy"` // accuracy of the chosen one on the cases that chose it: too good
	CurrentAccuracy  eval.Estimate `json:"current_accuracy"`  // accuracy at the present one
	HeldOutAccuracy  eval.Estimate `json:"held_out_accuracy"` // accuracy on cases that had no part in the choice
	HeldOutGain      eval.Contrast `json:"held_out_gain"`     // held out, chosen − present
	State            eval.State    `json:"state"`             // of Gain; Unknown: there are too few cases
	Folds            []Fold        `json:"folds"`
	Seed             uint64        `json:"seed"`

	Points      []Point `json:"points"`                // the lowest threshold first: one wherever a decision changes
	Downsampled bool    `json:"downsampled,omitempty"` // there were more than MaxPoints
}

// Range is from one threshold to another.
type Range struct {
	Lo float64 `json:"lo"`
	Hi float64 `json:"hi"`
}

// Fold is a part of the cases that is held out.
type Fold struct {
	Threshold float64 `json:"threshold"` // the best one of the other parts
	Cases     int64   `json:"cases"`
	Trials    int64   `json:"trials"`
	Correct   int64   `json:"correct"` // of Trials, at Threshold
}

// Tuner takes the rows of one variant under one fault.
type Tuner struct {
	cfg     Config
	trials  []trial
	missing int64
	rest    Tuning // what is counted on the way

	asked            bool    // some row has what the model said
	trusted, doubted float64 // the least confidence that was trusted, and the most that was not
}

// New checks cfg.
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
	return &Tuner{cfg: cfg, trusted: 2, doubted: -1}, nil
}

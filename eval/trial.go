package eval

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strconv"
	"time"

	"evalctl/agent/system"
)

// Condition is one variant of a suite under one fault, with everything that its trials need to run.
type Condition struct {
	Suite   string
	Variant string
	Fault   string // injected fault, as COMPONENT:KIND, or NoFault
	// hash of all other settings that can change an answer: models, prompts, thresholds
	SettingsHash string
	NewTarget    func(Trial) (Target, error) // creates the target that a trial evaluates
	Scorers      []Scorer                    // score the outcome of each trial, in this order
	Prices       PriceFunc                   // prices of model calls; nil: all costs are unknown
	// name of the expectation's field that lists the labels expected in a turn, in sequence; "":
	// none
	DecisionPathField string
	// nodes that call chat models; their calls count as concurrent model calls
	ModelNodes    []string
	FirstTurnOnly bool // run only the first turn of each conversation

	NewJudge func(Trial) (Judge, error) // creates the judge for second judgments of Critic loops; nil: none
	// creates the model that checks which facts an answer states; nil: not graded
	NewGrader       func(Trial) (system.Grader, error)
	Prompts         map[string]string // texts of the variant's prompts, by setting; see [PromptID]
	FilledPrompts   []string          // further texts that calls send unchanged
	FactsField      string            // name of the expectation's field that lists the facts
	RealCritic      bool              // the critic is a real model, not simulated
	IsBaselineModel bool              // the decision is made by a baseline model
	// the expected outcome under the fault is our decision, not part of the specification
	OurDecision bool

	// releases resources that the targets of the condition share, after the last trial; other
	// conditions may use them too; nil: nothing to release
	Close func() error
}

// NewJudge gives an independent second score, 0..1, to an attempt that a critic has already reviewed.
// attempt is the Attempt of that review.
type Judge func(ctx context.Context, attempt any) (score float64, err error)

// Trial is one run of one case in one condition and one epoch: the unit that is scored.
type Trial struct {
	Condition *Condition
	Case      Case
	Epoch     int    // number of the repetition, from 1
	Seed      uint64 // random seed of the run

	// 0: this is the trial itself; otherwise the number of the turn, from 1, whose answer is judged
	// or graded after the trial
	RescoredTurn int
}

// Key returns the hash of everything that can change the trial's answer. It identifies the trial
// when a run is resumed, cached or compared with another run.
func (t Trial) Key() string {
	text := make([]byte, 0, 256)
	for _, part := range [...]string{t.Condition.Suite, t.Case.ID, t.Case.LineHash, t.Condition.Variant,
		t.Condition.SettingsHash, t.Condition.Fault} {
		text = append(append(text, part...), 0)
	}
	text = append(strconv.AppendInt(text, int64(t.Epoch), 10), 0)
	text = strconv.AppendUint(text, t.Seed, 10)
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:12])
}

// TrialSeed returns the seed for everything random in the trial. It depends on the case and the
// epoch, but not on the variant or the fault, so that all variants run with the same random
// numbers. A second judgment has its own seed.
func (t Trial) TrialSeed() uint64 {
	text := make([]byte, 0, 128)
	text = append(strconv.AppendUint(text, t.Seed, 10), 0)
	text = append(append(text, t.Case.ID...), 0)
	text = strconv.AppendInt(text, int64(t.Epoch), 10)
	if t.RescoredTurn > 0 {
		text = strconv.AppendInt(append(text, "\x00again "...), int64(t.RescoredTurn), 10)
	}
	sum := sha256.Sum256(text)
	return binary.BigEndian.Uint64(sum[:])
}

// CaseSeed returns a seed that is the same in all epochs of a case.
func (t Trial) CaseSeed() uint64 {
	t.Epoch, t.RescoredTurn = 0, 0
	return t.TrialSeed()
}

// Start returns the time at which the trial's simulated clock starts; by default a fixed time.
func (t Trial) Start() time.Time {
	if !t.Case.Now.IsZero() {
		return t.Case.Now
	}
	return defaultStart
}

var defaultStart = time.Date(2026, 11, 20, 10, 0, 0, 0, time.FixedZone("CST", 8*60*60))

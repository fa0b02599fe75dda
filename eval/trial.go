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

// Condition is one variant of a suite under one fault, with the settings that its trials share.
type Condition struct {
	Suite         string
	Variant       string
	Fault         string // NoFault without one
	Settings      string // hash of everything else that can change an answer: models, prompts, thresholds
	Target        func(Trial) (Target, error)
	Scorers       []Scorer
	Prices        PriceFunc
	PathField     string   // field with the expected sequence of labels in a turn; "": none
	ModelNodes    []string // nodes that call chat models
	FirstTurnOnly bool     // only the first turn of a conversation is run

	Judge           func(Trial) (Judge, error)         // creates the judge for second judgments; nil: none
	Grade           func(Trial) (system.Grader, error) // creates the grader of stated facts; nil: not graded
	FactsField      string                             // field of the expectation that lists the facts
	RealCritic      bool                               // the critic is a real model
	IsBaselineModel bool                               // the decision is made by a baseline model
	OurDecision     bool                               // the expected outcome under the fault is our decision

	// releases resources that targets of the condition share, possibly with other conditions, after
	// the last trial; nil: none
	Close func() error
}

// Judge returns the score, 0..1, of the Attempt of a Review.
type Judge func(ctx context.Context, attempt any) (score float64, err error)

// Trial is one epoch of one case in one condition.
type Trial struct {
	Condition *Condition
	Case      Case
	Epoch     int    // from 1
	Seed      uint64 // of the run

	// turn, from 1, whose first attempt is judged again or whose answer is graded; 0: the trial
	// itself
	RescoredTurn int
}

// Key returns the hash of everything that can change the trial's answer. It identifies the trial
// for resuming, caching and pairing.
func (t Trial) Key() string {
	text := make([]byte, 0, 256)
	for _, part := range [...]string{t.Condition.Suite, t.Case.ID, t.Case.Hash, t.Condition.Variant,
		t.Condition.Settings, t.Condition.Fault} {
		text = append(append(text, part...), 0)
	}
	text = append(strconv.AppendInt(text, int64(t.Epoch), 10), 0)
	text = strconv.AppendUint(text, t.Seed, 10)
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:12])
}

// TrialSeed returns the seed for everything random in the trial. It depends on case and epoch, not
// on variant or fault, so variants are compared on common random numbers. A second judgment has its
// own seed.
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

// CaseSeed returns a seed that is the same in all epochs of the case and in second judgments.
func (t Trial) CaseSeed() uint64 {
	t.Epoch, t.RescoredTurn = 0, 0
	return t.TrialSeed()
}

// Start returns the start time of the trial's simulation: the time of the case, or a fixed default.
// In real time, a case with a time also starts at that time; other cases use the current time.
func (t Trial) Start() time.Time {
	if !t.Case.Now.IsZero() {
		return t.Case.Now
	}
	return defaultStart
}

var defaultStart = time.Date(2026, 11, 20, 10, 0, 0, 0, time.FixedZone("CST", 8*60*60))

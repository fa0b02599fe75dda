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

// Condition is one variant of a suite under one fault: what its trials share.
type Condition struct {
	Suite         string
	Variant       string
	Fault         string // NoFault without one
	Settings      string // hash of all else that can change an answer: models, prompts, thresholds
	Target        func(Trial) (Target, error)
	Scorers       []Scorer
	Prices        Prices
	PathField     string   // field of the labels that a turn comes by; "": there is none
	ModelNodes    []string // under which chat models are called
	FirstTurnOnly bool     // of a conversation the first turn alone is played

	Judge           func(Trial) (Judge, error)         // of attempts that are judged once more; nil: none is
	Grade           func(Trial) (system.Grader, error) // of the facts that answers state; nil: none are graded
	FactsField      string                             // field of the expectation that lists them
	RealCritic      bool                               // the critic is a real model
	IsBaselineModel bool                               // what decides has been learned in the process
	OurDecision     bool                               // what is to come of the fault the house has settled

	Close func() error // frees what the targets of the cell share, with those of others, once none is played; nil: there is nothing to free
}

// Judge gives the score, 0..1, of the Attempt of a Review.
type Judge func(ctx context.Context, attempt any) (score float64, err error)

// Trial is one case played once in one cell.
type Trial struct {
	Condition *Condition
	Case      Case
	Epoch     int    // from 1
	Seed      uint64 // of the run

	RescoredTurn int // the turn, from 1, that is judged behind the trial: its first attempt once more, or its answer; 0: the trial itself
}

// Key is the hash of everything that can change the trial's answer. Resuming,
// caching and pairing go by it, never by a position.
func (t Trial) Key() string {
	said := make([]byte, 0, 256)
	for _, part := range [...]string{t.Condition.Suite, t.Case.ID, t.Case.Hash, t.Condition.Variant, t.Condition.Settings, t.Condition.Fault} {
		said = append(append(said, part...), 0)
	}
	said = append(strconv.AppendInt(said, int64(t.Epoch), 10), 0)
	said = strconv.AppendUint(said, t.Seed, 10)
	sum := sha256.Sum256(said)
	return hex.EncodeToString(sum[:12])
}

// TrialSeed seeds whatever is random in the trial: by case and epoch, and by no
// variant or fault, so that variants are compared on the same luck. A second
// judgement has luck of its own.
func (t Trial) TrialSeed() uint64 {
	said := make([]byte, 0, 128)
	said = append(strconv.AppendUint(said, t.Seed, 10), 0)
	said = append(append(said, t.Case.ID...), 0)
	said = strconv.AppendInt(said, int64(t.Epoch), 10)
	if t.RescoredTurn > 0 {
		said = strconv.AppendInt(append(said, "\x00again "...), int64(t.RescoredTurn), 10)
	}
	sum := sha256.Sum256(said)
	return binary.BigEndian.Uint64(sum[:])
}

// CaseSeed seeds what is random and the same in all epochs of the case, and for a second judgment.
func (t Trial) CaseSeed() uint64 {
	t.Epoch, t.RescoredTurn = 0, 0
	return t.TrialSeed()
}

// Start is when the trial's simulation begins: the case's own time, where it
// has one. In real time such a case has its own time, too, and any other the world's.
func (t Trial) Start() time.Time {
	if !t.Case.Now.IsZero() {
		return t.Case.Now
	}
	return defaultStart
}

var defaultStart = time.Date(2026, 11, 20, 10, 0, 0, 0, time.FixedZone("CST", 8*60*60))

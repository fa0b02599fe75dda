package page

import (
	"evalctl/agent/trace"
	"evalctl/eval"
)

// maxRounds is the maximum number of rounds of a Critic loop that are counted separately. Later
// rounds are added to the last one.
const maxRounds = 12

// LoopRound counts the attempts in one round of a Critic loop by what happened to them: sent back
// by the critic, passed, or exhausted (not passed in the last round).
type LoopRound struct {
	SentBack, Passed, Exhausted Attempts // attempts by outcome

	CriticFailed int64 // attempts that passed only because the critic failed
}

// Attempts counts attempts by their label. An attempt is unlabeled if it has no label, if the
// critic was not shown what the label refers to, or if the critic failed.
type Attempts struct{ Good, Bad, Unlabeled int64 }

// Total returns the total number of attempts.
func (a Attempts) Total() int64 { return a.Good + a.Bad + a.Unlabeled }

// Total returns the total number of attempts in the round.
func (f LoopRound) Total() int64 { return f.SentBack.Total() + f.Passed.Total() + f.Exhausted.Total() }

func (v *Variant) addLoops(loops []eval.LoopRound) {
	round, turn := 0, 0
	for _, l := range loops {
		if l.Turn != turn {
			round, turn = 0, l.Turn
		}
		if round == len(v.Loops) {
			v.Loops = append(v.Loops, LoopRound{})
		}
		v.Loops[round].add(l)
		round = min(round+1, maxRounds-1)
	}
}

func (f *LoopRound) add(l eval.LoopRound) {
	outcome := &f.SentBack
	switch {
	case l.Passed:
		outcome = &f.Passed
	case l.Exhausted:
		outcome = &f.Exhausted
	}
	hasJudgment := l.Reviewer != trace.NoReviewer
	if !hasJudgment && l.Passed {
		f.CriticFailed++
	}
	switch {
	case l.Acceptable == nil || !l.SawLabeledImage() || !hasJudgment:
		outcome.Unlabeled++
	case *l.Acceptable:
		outcome.Good++
	default:
		outcome.Bad++
	}
}

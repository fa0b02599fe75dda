package spread

import (
	"evalctl/agent/trace"
	"evalctl/eval"
)

// maxRounds is the maximum number of rounds of a critic. Later rounds are added to the last one.
const maxRounds = 12

// Flow is one round of a critic with the outcomes of the attempts.
type Flow struct {
	SentBack, Passed, Exhausted Attempts

	CriticFailed int64 // passed because the critic failed
}

// Attempts counts attempts by label. An attempt is unlabeled if it has no label, if the critic was
// not shown what the label refers to, or if the critic failed.
type Attempts struct{ Good, Bad, Unlabeled int64 }

// All returns the total.
func (a Attempts) All() int64 { return a.Good + a.Bad + a.Unlabeled }

// All returns the number of attempts in the round.
func (f Flow) All() int64 { return f.SentBack.All() + f.Passed.All() + f.Exhausted.All() }

func (v *Variant) addLoops(loops []eval.Loop) {
	round, turn := 0, 0
	for _, l := range loops {
		if l.Turn != turn {
			round, turn = 0, l.Turn
		}
		if round == len(v.Loops) {
			v.Loops = append(v.Loops, Flow{})
		}
		v.Loops[round].add(l)
		round = min(round+1, maxRounds-1)
	}
}

func (f *Flow) add(l eval.Loop) {
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
	case l.Acceptable == nil || !l.SawLabeled() || !hasJudgment:
		outcome.Unlabeled++
	case *l.Acceptable:
		outcome.Good++
	default:
		outcome.Bad++
	}
}

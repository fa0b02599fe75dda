package spread

import (
	"evalctl/agent/trace"
	"evalctl/eval"
)

// maxRounds is how many rounds of a critic are told apart; those beyond count to the last.
const maxRounds = 12

// Flow is one round of a critic: what became of the attempts that it saw.
type Flow struct {
	SentBack, Passed, Exhausted Attempts

	CriticFailed int64 // of those passed: the critic failed, which passes
}

// Attempts by their label. One is without where there is none, where the critic was not
// shown what the label is about, or where it failed.
type Attempts struct{ Good, Bad, Unlabeled int64 }

// All is how many they are.
func (a Attempts) All() int64 { return a.Good + a.Bad + a.Unlabeled }

// All is how many attempts came to the round.
func (f Flow) All() int64 { return f.SentBack.All() + f.Passed.All() + f.Exhausted.All() }

func (v *Variant) review(loops []eval.Loop) {
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
	to := &f.SentBack
	switch {
	case l.Passed:
		to = &f.Passed
	case l.Exhausted:
		to = &f.Exhausted
	}
	heard := l.Reviewer != trace.NoReviewer
	if !heard && l.Passed {
		f.CriticFailed++
	}
	switch {
	case l.Acceptable == nil || !l.SawLabeled() || !heard:
		to.Unlabeled++
	case *l.Acceptable:
		to.Good++
	default:
		to.Bad++
	}
}

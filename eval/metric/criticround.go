package metric

import (
	"time"

	"evalctl/eval"
)

// criticRound measures the nth round of a Critic loop, over all turns that reached it.
type criticRound struct {
	reached       int64
	passed        share
	exhausted     int64
	labelNotShown int64
	score, gain   mean
	added         bigSum // time added by the rounds, in nanoseconds
	untimed       int64  // rounds without a time, because a call was cached
	calls         bigSum
	tokens        tokens
	cost          cost
}

// add counts the round of one turn. earlier contains the earlier rounds of the turn.
func (r *criticRound) add(l eval.LoopRound, earlier []eval.LoopRound) {
	r.reached++
	if l.CachedCalls > 0 {
		r.untimed++
	} else {
		r.added.add(int64(l.AddedTime))
	}
	r.calls.add(l.Calls)
	r.tokens.add(l.Tokens)
	r.cost.add(l.Cost)
	if !scoredTrial(l) {
		r.passed.missing++
		r.score.missing++
		if len(earlier) > 0 {
			r.gain.missing++
		}
		return
	}
	if l.Acceptable != nil && !l.SawLabeledImage() {
		r.labelNotShown++
	}
	r.passed.add(l.Passed)
	r.score.add(l.Score)
	if l.Exhausted {
		r.exhausted++
	}
	if len(earlier) > 0 {
		r.gain.add(l.Score - earlier[len(earlier)-1].Score)
	}
}

func (r *criticRound) close(loop int) eval.LoopRoundSummary {
	n := float64(r.reached)
	return eval.LoopRoundSummary{
		Round:                loop,
		ReachedTurns:         r.reached,
		Passed:               r.passed.estimate(),
		Exhausted:            r.exhausted,
		LabeledImageNotShown: r.labelNotShown,
		Score:                bounded(r.score.estimate(), 0, 1),
		RawGain:              bounded(r.gain.estimate(), -1, 1),
		AddedMillis:          r.millis(),
		AddedCalls:           count(r.calls.float()/n, r.reached),
		AddedTokens:          r.tokens.mean(),
		AddedCost:            r.cost.mean(),
	}
}

// millis returns the mean time, in milliseconds, that this round added to a turn. Turns with a
// cached call in the round are not counted.
func (r *criticRound) millis() eval.Estimate {
	timed := r.reached - r.untimed
	if timed == 0 {
		return eval.Estimate{Missing: r.untimed}
	}
	e := count(r.added.float()/float64(time.Millisecond)/float64(timed), timed)
	e.Missing = r.untimed
	return e
}

package metric

import (
	"time"

	"evalctl/eval"
)

// round is the nth attempt of all turns that came so far.
type round struct {
	reached     int64
	passed      share
	exhausted   int64
	unseen      int64
	score, gain mean
	added       bigSum // nanoseconds
	untimed     int64  // with a call that was answered from an earlier run
	calls       bigSum
	tokens      tokens
	cost        cost
}

// add counts an attempt; before are those of the turn before it.
func (r *round) add(l eval.Loop, before []eval.Loop) {
	r.reached++
	if l.CachedCalls > 0 {
		r.untimed++
	} else {
		r.added.add(int64(l.Added))
	}
	r.calls.add(l.Calls)
	r.tokens.add(l.Tokens)
	r.cost.add(l.Cost)
	if !judged(l) {
		r.passed.missing++
		r.score.missing++
		if len(before) > 0 {
			r.gain.missing++
		}
		return
	}
	if l.Acceptable != nil && !l.SawLabeled() {
		r.unseen++
	}
	r.passed.add(l.Passed)
	r.score.add(l.Score)
	if l.Exhausted {
		r.exhausted++
	}
	if len(before) > 0 {
		r.gain.add(l.Score - before[len(before)-1].Score)
	}
}

func (r *round) close(loop int) eval.LoopSummary {
	n := float64(r.reached)
	return eval.LoopSummary{Loop: loop, Reached: r.reached, Passed: r.passed.estimate(), Exhausted: r.exhausted, LabelNotShown: r.unseen,
		Score: bounded(r.score.estimate(), 0, 1), RawGain: bounded(r.gain.estimate(), -1, 1),
		AddedMillis: r.millis(),
		AddedCalls:  count(r.calls.float()/n, r.reached), AddedTokens: r.tokens.mean(), AddedCost: r.cost.mean()}
}

// millis are those that the attempt added, on average.
func (r *round) millis() eval.Estimate {
	timed := r.reached - r.untimed
	if timed == 0 {
		return eval.Estimate{Missing: r.untimed}
	}
	e := count(r.added.float()/float64(time.Millisecond)/float64(timed), timed)
	e.Missing = r.untimed
	return e
}

package metric

import (
	"evalctl/agent/trace"
	"evalctl/eval"
	"evalctl/eval/stats"
)

// deliveredGain measures what a Critic loop gains: how many more delivered attempts than first
// attempts are labeled good. The difference is paired by case: the turns and epochs of a case are
// one cluster. It is also the gain over simply repeating randomly chosen turns, because a repeated
// attempt is as good, on average, as a first attempt.
//
// A turn is missing if the critic was shown another image than the labeled one, or if the turn was
// cut off.
type deliveredGain struct {
	first, delivered share // shares of turns whose attempts are labeled
	gain             stats.PairedAccuracy
	turns, missing   int64 // turns in gain; turns that are missing in it
	good, labeled    [2]int64
}

// addTurn counts the first and the delivered attempt of one turn. A turn in which either has no
// label is skipped. A turn is missing if the critic saw another image or the turn was cut off.
func (d *deliveredGain) addTurn(loops []eval.LoopRound) {
	first, last := loops[0], loops[len(loops)-1]
	if first.Acceptable == nil || last.Acceptable == nil {
		return
	}
	if first.CriticInput == eval.CriticInputOtherImage || last.CriticInput == eval.CriticInputOtherImage {
		d.addMissing(1)
		return
	}
	d.first.add(*first.Acceptable)
	if !isDelivered(last) {
		d.delivered.missing++
		d.missing++
		return
	}
	d.delivered.add(*last.Acceptable)
	for i, l := range []eval.LoopRound{first, last} {
		d.labeled[i]++
		if *l.Acceptable {
			d.good[i]++
		}
	}
}

// isDelivered reports whether this attempt was delivered to the user: it passed (also because the
// critic failed), or no further attempt is permitted.
func isDelivered(l eval.LoopRound) bool { return l.Reviewer == trace.NoReviewer || isFinal(l) }

// addMissing counts turns whose labels cannot be used.
func (d *deliveredGain) addMissing(turns int64) {
	d.first.missing += turns
	d.delivered.missing += turns
	d.missing += turns
}

func (d *deliveredGain) endCase() {
	endCase(&d.first, &d.delivered)
	d.gain.Add(d.good[0], d.labeled[0], d.good[1], d.labeled[1])
	d.turns += d.labeled[0]
	d.good, d.labeled = [2]int64{}, [2]int64{}
}

// close adds the metrics to the condition's summary. Without labeled attempts it adds none. lost is
// the number of trials that ended before the critic was called.
func (d *deliveredGain) close(into *eval.ConditionSummary, lost int64) {
	if d.first.total() == 0 {
		return
	}
	d.addMissing(lost)
	gain := eval.Estimate{N: d.turns, Cases: casesIfClustered(d.gain.N(), d.turns), Missing: d.missing}
	if v, ok := d.gain.Value(); ok {
		gain.Value = &v
	}
	if lo, hi, ok := d.gain.Interval(level); ok {
		gain.Lo, gain.Hi = &lo, &hi
	}
	into.Metrics["critic.first_attempt_good"] = d.first.estimate()
	into.Metrics["critic.delivered_good"] = d.delivered.estimate()
	into.Metrics["critic.good_gain"] = gain
}

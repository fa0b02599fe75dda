package metric

import (
	"evalctl/agent/trace"
	"evalctl/eval"
	"evalctl/eval/stats"
)

// delivery compares the first attempts of turns with the attempts that the user
// gets, by the attempts' labels. The difference is paired by case: the turns and
// epochs of a case are one cluster. It is also the gain over a critic that sends
// back turns at random, because such a repeated attempt has the expected rate of a
// first one.
//
// A label of another picture than the one that the critic was shown says nothing
// about what is delivered: its turn is missing, as is a turn that was cut off.
type delivery struct {
	first, delivered share // of turns whose attempts are labeled
	gain             stats.Paired
	turns, missing   int64 // with both labels; that lack one
	k, m             [2]int64
}

// turn counts the attempts of one turn.
func (d *delivery) turn(loops []eval.Loop) {
	first, last := loops[0], loops[len(loops)-1]
	if first.Acceptable == nil || last.Acceptable == nil {
		return
	}
	if first.CriticInput == eval.ShownOther || last.CriticInput == eval.ShownOther {
		d.miss(1)
		return
	}
	d.first.add(*first.Acceptable)
	if !isDelivered(last) {
		d.delivered.missing++
		d.missing++
		return
	}
	d.delivered.add(*last.Acceptable)
	for i, l := range []eval.Loop{first, last} {
		d.m[i]++
		if *l.Acceptable {
			d.k[i]++
		}
	}
}

// isDelivered reports whether a turn ended with this attempt: it passed, also
// because the critic failed, or no further attempt is permitted.
func isDelivered(l eval.Loop) bool { return l.Reviewer == trace.NoReviewer || isOver(l) }

// miss counts turns that have no label of what was made.
func (d *delivery) miss(turns int64) {
	d.first.missing += turns
	d.delivered.missing += turns
	d.missing += turns
}

func (d *delivery) endCase() {
	endCase(&d.first, &d.delivered)
	d.gain.Add(d.k[0], d.m[0], d.k[1], d.m[1])
	d.turns += d.m[0]
	d.k, d.m = [2]int64{}, [2]int64{}
}

// close adds nothing to a cell without labeled attempts. lost are the trials that
// ended before the critic was called.
func (d *delivery) close(into *eval.ConditionSummary, lost int64) {
	if d.first.seen() == 0 {
		return
	}
	d.miss(lost)
	gain := eval.Estimate{N: d.turns, Cases: fewer(d.gain.N(), d.turns), Missing: d.missing}
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

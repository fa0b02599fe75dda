package metric

import (
	"time"

	"evalctl/agent/trace"
	"evalctl/eval"
)

// critic tells what a Critic loop does: turn by turn how it ends, and round by
// round what each adds. A turn is missing where nobody can tell how it would
// have ended: the critic failed, which passes, or something else cut it off.
type critic struct {
	passed, exhausted, oscillating share // of turns; oscillating: of those with three rounds
	falseAccept, falseReject       share // of labelled attempts that are bad, that are good
	loops, gain                    mean
	rounds                         []*round
}

// round is the nth attempt of all turns that came so far.
type round struct {
	reached        int64
	passed         share
	exhausted      int64
	score, gain    mean
	added          int64 // nanoseconds
	calls, in, out int64
	cost           money
}

func (m *critic) Add(trials []eval.Result) {
	for _, r := range trials {
		for from := 0; from < len(r.Loops); {
			to := from + 1
			for to < len(r.Loops) && r.Loops[to].Turn == r.Loops[from].Turn {
				to++
			}
			m.turn(r.Loops[from:to])
			from = to
		}
	}
	endCase(&m.passed, &m.exhausted, &m.oscillating, &m.falseAccept, &m.falseReject, &m.loops, &m.gain)
	for _, r := range m.rounds {
		endCase(&r.passed, &r.score, &r.gain)
	}
}

func (m *critic) turn(loops []eval.Loop) {
	for i, l := range loops {
		m.attempt(i, l, loops[:i])
		if l.Good != nil {
			m.against(l)
		}
	}
	n, last := len(loops), loops[len(loops)-1]
	if !judged(last) || !last.Passed && !last.Exhausted {
		m.passed.missing++
		m.exhausted.missing++
		m.loops.missing++
		if n > 1 {
			m.gain.missing++
		}
		if n > 2 {
			m.oscillating.missing++
		}
		return
	}
	m.passed.add(last.Passed)
	m.exhausted.add(last.Exhausted)
	m.loops.add(float64(n))
	if n > 1 {
		m.gain.add((last.Score - loops[0].Score) / float64(n-1))
	}
	if n > 2 {
		m.oscillating.add(oscillates(loops))
	}
}

// against holds the critic against the label of an attempt.
func (m *critic) against(l eval.Loop) {
	wrong, s := l.Passed, &m.falseAccept
	if *l.Good {
		wrong, s = !l.Passed, &m.falseReject
	}
	if !judged(l) {
		s.missing++
		return
	}
	s.add(wrong)
}

// judged is false where the critic failed, which passes and so ends the turn.
func judged(l eval.Loop) bool { return l.By != trace.Nobody }

// oscillates tells scores that rise and fall, in whichever order.
func oscillates(loops []eval.Loop) bool {
	rose, fell := false, false
	for i := 1; i < len(loops); i++ {
		rose = rose || loops[i].Score > loops[i-1].Score
		fell = fell || loops[i].Score < loops[i-1].Score
	}
	return rose && fell
}

// attempt counts the attempt i, from 0, of a turn; before are those before it.
func (m *critic) attempt(i int, l eval.Loop, before []eval.Loop) {
	if i == len(m.rounds) {
		m.rounds = append(m.rounds, &round{})
	}
	r := m.rounds[i]
	r.reached++
	r.added += int64(l.Added)
	r.calls += l.Calls
	r.in += l.Tokens.In
	r.out += l.Tokens.Out
	r.cost.add(l.Cost)
	if !judged(l) {
		r.passed.missing++
		r.score.missing++
		if len(before) > 0 {
			r.gain.missing++
		}
		return
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

// Close leaves a cell without a critic as it is.
func (m *critic) Close(into *eval.CellSummary) {
	if len(m.rounds) == 0 {
		return
	}
	for name, s := range map[string]*share{
		"pass_rate": &m.passed, "exhausted_rate": &m.exhausted, "oscillation_rate": &m.oscillating,
		"false_accept": &m.falseAccept, "false_reject": &m.falseReject,
	} {
		into.Metrics["critic."+name] = s.estimate()
	}
	into.Metrics["critic.loops_mean"] = m.loops.estimate()
	into.Metrics["critic.gain_per_loop"] = m.gain.estimate()
	for i := range m.rounds {
		into.Loops = append(into.Loops, m.rounds[i].close(i+1))
	}
}

func (r *round) close(loop int) eval.LoopSummary {
	n := float64(r.reached)
	return eval.LoopSummary{Loop: loop, Reached: r.reached, Passed: r.passed.estimate(), Exhausted: r.exhausted,
		Score: r.score.estimate(), Gain: r.gain.estimate(),
		AddedMillis: count(float64(r.added)/float64(time.Millisecond)/n, r.reached),
		AddedCalls:  count(float64(r.calls)/n, r.reached), AddedTokens: count(float64(r.in+r.out)/n, r.reached),
		AddedCost: r.cost.mean()}
}

package metric

import (
	"evalctl/agent/trace"
	"evalctl/eval"
)

// critic tells what a Critic loop does: turn by turn how it ends, and round by
// round what each adds. A turn is missing where nobody can tell how it would have
// gone on: the critic failed, which passes, or something else cut it off; so is a
// trial without a result that never came to the critic. The turns and attempts of
// a case are alike.
type critic struct {
	passed, exhausted, oscillating share // of turns; oscillating: of those with three rounds
	falseAccept, falseReject       share // of labelled attempts that are bad, that are good
	loops                          mean
	delivery                       delivery
	gain                           gain
	second                         second
	rounds                         []*round
	lost                           int64 // trials without a result that never came to the critic
}

func (m *critic) Add(trials []eval.Result) {
	for _, r := range trials {
		if r.Error != nil && len(r.Loops) == 0 {
			m.lost++
		}
		for from := 0; from < len(r.Loops); {
			to := from + 1
			for to < len(r.Loops) && r.Loops[to].Turn == r.Loops[from].Turn {
				to++
			}
			m.turn(r.Loops[from:to])
			from = to
		}
	}
	endCase(&m.passed, &m.exhausted, &m.oscillating, &m.falseAccept, &m.falseReject, &m.loops, &m.delivery, &m.gain)
	for _, r := range m.rounds {
		endCase(&r.passed, &r.score, &r.gain)
	}
}

func (m *critic) turn(loops []eval.Loop) {
	for i, l := range loops {
		if i == len(m.rounds) {
			m.rounds = append(m.rounds, &round{})
		}
		m.rounds[i].add(l, loops[:i])
		m.against(l)
	}
	m.delivery.turn(loops)
	m.gain.turn(loops)
	m.second.add(loops[0].SecondJudgment)
	n, last := len(loops), loops[len(loops)-1]
	if !isOver(last) {
		m.miss(1)
		return
	}
	m.passed.add(last.Passed)
	m.exhausted.add(last.Exhausted)
	m.loops.add(float64(n))
	if n > 2 {
		m.oscillating.add(oscillates(loops))
	}
}

// miss counts turns of which nobody knows how they would have ended, or after how
// many rounds.
func (m *critic) miss(turns int64) {
	for _, p := range []*share{&m.passed, &m.exhausted, &m.oscillating} {
		p.missing += turns
	}
	m.loops.missing += turns
}

// against holds the critic against the label of an attempt, where it has one and
// the critic was shown what that is about.
func (m *critic) against(l eval.Loop) {
	if l.Acceptable == nil {
		return
	}
	wrong, p := l.Passed, &m.falseAccept
	if *l.Acceptable {
		wrong, p = !l.Passed, &m.falseReject
	}
	if !judged(l) || !l.SawLabeled() {
		p.missing++
		return
	}
	p.add(wrong)
}

// judged is false where the critic failed, which passes and so ends the turn.
func judged(l eval.Loop) bool { return l.Reviewer != trace.NoReviewer }

// isOver tells a last round: it passed, or there may be no other.
func isOver(l eval.Loop) bool { return judged(l) && (l.Passed || l.Exhausted) }

// oscillates tells scores that rise and fall, in whichever order.
func oscillates(loops []eval.Loop) bool {
	rose, fell := false, false
	for i := 1; i < len(loops); i++ {
		rose = rose || loops[i].Score > loops[i-1].Score
		fell = fell || loops[i].Score < loops[i-1].Score
	}
	return rose && fell
}

// Close leaves a cell without a critic as it is.
func (m *critic) Close(into *eval.ConditionSummary) {
	if len(m.rounds) == 0 {
		return
	}
	m.miss(m.lost)
	m.delivery.close(into, m.lost)
	m.gain.miss(m.lost)
	for _, p := range []*share{&m.falseAccept, &m.falseReject} {
		if p.seen() > 0 {
			p.missing += m.lost
		}
	}
	m.lost = 0
	for name, p := range map[string]*share{
		"pass_rate": &m.passed, "exhausted_rate": &m.exhausted, "oscillation_rate": &m.oscillating,
		"false_accept": &m.falseAccept, "false_reject": &m.falseReject,
	} {
		into.Metrics["critic."+name] = p.estimate()
	}
	into.Metrics["critic.loops_mean"] = m.loops.estimate()
	for i, r := range m.rounds {
		into.Loops = append(into.Loops, r.close(i+1))
	}
	m.gain.close(into)
	m.second.close(into)
}

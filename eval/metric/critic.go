package metric

import (
	"evalctl/agent/trace"
	"evalctl/eval"
)

// critic measures a Critic loop: how each turn ends, and what each round of attempt and review
// adds. A turn is missing if its end is unknown: the critic failed (which passes the attempt), or
// another failure cut it off. A trial without a result that never reached the critic is missing,
// too. The turns and attempts of a case form one cluster.
type critic struct {
	passed, exhausted, oscillating share // shares of turns; oscillating: of turns with at least three rounds
	// share accepted of the attempts labeled bad, and share rejected of the attempts labeled good
	falseAccept, falseReject share
	loops                    mean
	delivery                 deliveredGain
	gain                     criticGain
	second                   secondJudgments
	rounds                   []*criticRound
	lostTrials               int64 // trials without a result that never reached the critic
}

func (m *critic) Add(trials []eval.Result) {
	for _, r := range trials {
		if r.Error != nil && len(r.LoopRounds) == 0 {
			m.lostTrials++
		}
		for from := 0; from < len(r.LoopRounds); {
			to := from + 1
			for to < len(r.LoopRounds) && r.LoopRounds[to].Turn == r.LoopRounds[from].Turn {
				to++
			}
			m.addTurn(r.LoopRounds[from:to])
			from = to
		}
	}
	endCase(&m.passed, &m.exhausted, &m.oscillating, &m.falseAccept, &m.falseReject, &m.loops, &m.delivery, &m.gain)
	for _, r := range m.rounds {
		endCase(&r.passed, &r.score, &r.gain)
	}
}

func (m *critic) addTurn(loops []eval.LoopRound) {
	for i, l := range loops {
		if i == len(m.rounds) {
			m.rounds = append(m.rounds, &criticRound{})
		}
		m.rounds[i].add(l, loops[:i])
		m.compareWithLabel(l)
	}
	m.delivery.addTurn(loops)
	m.gain.addTurn(loops)
	m.second.add(loops[0].SecondJudgment)
	n, last := len(loops), loops[len(loops)-1]
	if !isFinal(last) {
		m.addMissing(1)
		return
	}
	m.passed.add(last.Passed)
	m.exhausted.add(last.Exhausted)
	m.loops.add(float64(n))
	if n > 2 {
		m.oscillating.add(oscillates(loops))
	}
}

// addMissing counts turns whose end or number of rounds is unknown.
func (m *critic) addMissing(turns int64) {
	for _, p := range []*share{&m.passed, &m.exhausted, &m.oscillating} {
		p.missing += turns
	}
	m.loops.missing += turns
}

// compareWithLabel compares the critic's verdict on an attempt with the label of the attempt. An
// attempt without a label is skipped. An attempt is missing if the critic did not see the image
// that the label is about.
func (m *critic) compareWithLabel(l eval.LoopRound) {
	if l.Acceptable == nil {
		return
	}
	wrong, p := l.Passed, &m.falseAccept
	if *l.Acceptable {
		wrong, p = !l.Passed, &m.falseReject
	}
	if !scoredTrial(l) || !l.SawLabeledImage() {
		p.missing++
		return
	}
	p.add(wrong)
}

// scoredTrial reports whether the critic reviewed the attempt. If the critic fails, the attempt
// passes and the turn ends.
func scoredTrial(l eval.LoopRound) bool { return l.Reviewer != trace.NoReviewer }

// isFinal reports whether a round is the last of its turn: the attempt passed, or no other round is
// permitted.
func isFinal(l eval.LoopRound) bool { return scoredTrial(l) && (l.Passed || l.Exhausted) }

// oscillates reports whether the scores of a turn's rounds both rise and fall.
func oscillates(loops []eval.LoopRound) bool {
	rose, fell := false, false
	for i := 1; i < len(loops); i++ {
		rose = rose || loops[i].Score > loops[i-1].Score
		fell = fell || loops[i].Score < loops[i-1].Score
	}
	return rose && fell
}

// Close adds the critic's metrics to the condition's summary. Without a critic it adds none.
func (m *critic) Close(into *eval.ConditionSummary) {
	if len(m.rounds) == 0 {
		return
	}
	m.addMissing(m.lostTrials)
	m.delivery.close(into, m.lostTrials)
	m.gain.addMissing(m.lostTrials)
	for _, p := range []*share{&m.falseAccept, &m.falseReject} {
		if p.total() > 0 {
			p.missing += m.lostTrials
		}
	}
	m.lostTrials = 0
	for name, p := range map[string]*share{
		"pass_rate": &m.passed, "exhausted_rate": &m.exhausted, "oscillation_rate": &m.oscillating,
		"false_accept": &m.falseAccept, "false_reject": &m.falseReject,
	} {
		into.Metrics["critic."+name] = p.estimate()
	}
	into.Metrics["critic.loops_mean"] = atLeast(1, m.loops.estimate())
	for i, r := range m.rounds {
		into.LoopRounds = append(into.LoopRounds, r.close(i+1))
	}
	m.gain.close(into)
	m.second.close(into)
}

package metric

import (
	"cmp"
	"slices"

	"evalctl/agent"
	"evalctl/eval"
)

// steps tells of turns in which it is decided again and again, by whatever part: its
// word for that part is the supervisor.
//
// Of the decisions, which are the steps in which the decider was asked:
// supervisor.correction_rate is how many were corrected, that is that something else
// was done in their place, and supervisor.asked_again_rate in how many the decider was
// asked once more; each has a family of shares, as in supervisor.correction_rate.REASON,
// for each reason that was met in the suite, over all decisions too. A turn that failed
// misses one decision, the one that it did not come to.
//
// Of the episodes, which are the turns with a labelled path or more than one step:
// supervisor.steps_mean is how many steps there are, with those in which nobody was
// asked, and supervisor.exhausted_rate how many ended because there were to be no more.
// One that was cut off by a failed call is missing.
type steps struct {
	reasons            *reasons // of the suite
	corrected, again   share    // of decisions
	corrections, asked *split   // of decisions, by reason
	exhausted          share    // of episodes
	length             mean
	lost               int64 // turns that failed
}

// reasons are those for which decisions were not followed, in any cell of a suite.
type reasons struct{ corrected, again map[string]struct{} }

func newReasons() *reasons {
	return &reasons{corrected: map[string]struct{}{}, again: map[string]struct{}{}}
}

func newSteps(of *reasons) *steps {
	return &steps{reasons: of, corrected: newRandomShare(), again: newRandomShare(),
		corrections: newSplit(newRandomShare), asked: newSplit(newRandomShare)}
}

func (m *steps) Add(trials []eval.Result) {
	corrected, again, decisions := map[string]int64{}, map[string]int64{}, int64(0)
	for _, r := range trials {
		for _, t := range r.Turns {
			m.turn(t)
			for _, s := range t.Steps {
				if !s.IsDecision() {
					continue
				}
				decisions++
				m.corrected.add(s.IsCorrected())
				m.again.add(s.IsAskedAgain())
				reason := cmp.Or(s.Reason, "unsaid")
				switch {
				case s.IsCorrected():
					corrected[reason]++
					m.reasons.corrected[reason] = struct{}{}
				case s.IsAskedAgain():
					again[reason]++
					m.reasons.again[reason] = struct{}{}
				}
			}
		}
	}
	m.corrections.addCase(corrected, decisions)
	m.asked.addCase(again, decisions)
	endCase(&m.corrected, &m.again, &m.exhausted, &m.length)
}

// turn counts a turn as an episode, where it is one, and what it did not come to.
func (m *steps) turn(t eval.TurnRow) {
	exhausted := slices.ContainsFunc(t.Steps, func(s agent.Step) bool { return s.By == agent.ByLimit })
	if !t.Answered && !exhausted {
		m.lost++
	}
	switch {
	case !t.Episode:
	case t.IsLost() && !exhausted:
		m.exhausted.missing++
		m.length.missing++
	default:
		m.exhausted.add(exhausted)
		m.length.add(float64(len(t.Steps)))
	}
}

// Close leaves a cell in which it is decided once as it is.
func (m *steps) Close(into *eval.CellSummary) {
	if m.corrected.seen() == 0 && m.exhausted.seen() == 0 {
		return
	}
	m.corrected.missing, m.again.missing, m.corrections.missing, m.asked.missing = m.lost, m.lost, m.lost, m.lost
	into.Metrics["supervisor.correction_rate"] = m.corrected.estimate()
	into.Metrics["supervisor.asked_again_rate"] = m.again.estimate()
	into.Metrics["supervisor.exhausted_rate"] = m.exhausted.estimate()
	into.Metrics["supervisor.steps_mean"] = m.length.estimate()
	for name := range m.reasons.corrected {
		m.corrections.meet(name)
	}
	for name := range m.reasons.again {
		m.asked.meet(name)
	}
	m.corrections.close(into, "supervisor.correction_rate")
	m.asked.close(into, "supervisor.asked_again_rate")
}

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
// Of the decisions, which are the steps in which the decider was asked,
// supervisor.called_again_rate is in how many the decider was asked once more, and of
// those that named somebody supervisor.correction_rate is how many were corrected, that
// is that something else was done in their place; one that named nobody, for its call
// failed or its answer could not be read, is missing there. Each has a family of
// shares, as in supervisor.correction_rate.REASON, for each reason that was met in the
// suite, over all that it is itself a share of. A turn that failed misses one decision,
// the one that it did not come to. Of what was corrected the cell has the most frequent
// kinds, by what was asked for and what was done.
//
// Of the episodes, which are the turns with a labelled path or more than one step:
// supervisor.steps_mean is how many steps there are, with those in which nobody was
// asked, and supervisor.exhausted_rate how many ended because there were to be no more.
// A turn that stops to ask the user ends no episode: it is one with the turn that
// answers it, and none where its case has no such turn. One that was cut off by a
// failed call is missing.
type steps struct {
	reasons            *reasons // of the suite
	corrected, again   share    // of decisions
	corrections, asked *split   // of decisions, by reason
	exhausted          share    // of episodes
	length             mean
	lost, unnamed      int64 // turns that failed, decisions that named nobody
	instead            confused
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
	corrected, again, named, decisions := map[string]int64{}, map[string]int64{}, int64(0), int64(0)
	for _, r := range trials {
		for _, t := range r.Turns {
			if !t.Answered && !isExhausted(t) {
				m.lost++
			}
			for _, s := range t.Steps {
				if !s.IsDecision() {
					continue
				}
				reason := cmp.Or(s.Reason, "unsaid")
				decisions++
				m.again.add(s.IsCalledAgain())
				if s.IsCalledAgain() {
					again[reason]++
					m.reasons.again[reason] = struct{}{}
				}
				if s.Proposed == "" {
					m.unnamed++
					continue
				}
				named++
				m.corrected.add(s.IsCorrected())
				if s.IsCorrected() {
					corrected[reason]++
					m.instead.add(pair{expected: s.Proposed, predicted: s.Executed}, r.Case)
					m.reasons.corrected[reason] = struct{}{}
				}
			}
		}
		m.ends(episodes(r.Turns))
	}
	m.corrections.addCase(corrected, named)
	m.asked.addCase(again, decisions)
	endCase(&m.corrected, &m.again, &m.exhausted, &m.length)
}

// ends counts episodes that came to an end, or should have.
func (m *steps) ends(list []episode) {
	for _, e := range list {
		switch {
		case !e.is || e.open && !e.cut:
		case e.cut && !e.exhausted:
			m.exhausted.missing++
			m.length.missing++
		default:
			m.exhausted.add(e.exhausted)
			m.length.add(float64(e.steps))
		}
	}
}

// episode is one turn, or several of which each answers what the one before has asked.
type episode struct {
	is             bool // one, and no single decision
	steps          int
	open           bool // it waits for an answer
	cut, exhausted bool
}

func episodes(turns []eval.TurnRow) (list []episode) {
	of := map[int]int{} // by turn, from 1
	for i, t := range turns {
		at, resumed := of[t.ResumesTurn]
		if !resumed {
			at, list = len(list), append(list, episode{})
		}
		of[i+1] = at
		e := &list[at]
		e.steps += len(t.Steps)
		e.is = e.is || t.Episode || e.steps > 1
		e.open = t.AsksUser
		e.cut, e.exhausted = e.cut || t.HasFailed(), e.exhausted || isExhausted(t)
	}
	return list
}

func isExhausted(t eval.TurnRow) bool {
	return slices.ContainsFunc(t.Steps, func(s agent.Step) bool { return s.DecidedBy == agent.DecidedByMaxIterations })
}

// Close leaves a cell in which it is decided once as it is.
func (m *steps) Close(into *eval.ConditionSummary) {
	if m.again.seen() == 0 && m.exhausted.seen() == 0 {
		return
	}
	m.again.missing, m.asked.missing = m.lost, m.lost
	m.corrected.missing, m.corrections.missing = m.lost+m.unnamed, m.lost+m.unnamed
	into.Metrics["supervisor.correction_rate"] = m.corrected.estimate()
	into.Metrics["supervisor.called_again_rate"] = m.again.estimate()
	into.Metrics["supervisor.exhausted_rate"] = m.exhausted.estimate()
	into.Metrics["supervisor.steps_mean"] = m.length.estimate()
	for _, p := range m.instead.pairs() {
		into.Corrections = append(into.Corrections, eval.Correction{Proposed: p.Expected, Executed: p.Predicted, N: p.N, Cases: p.Cases})
	}
	for name := range m.reasons.corrected {
		m.corrections.meet(name)
	}
	for name := range m.reasons.again {
		m.asked.meet(name)
	}
	m.corrections.close(into, "supervisor.correction_rate")
	m.asked.close(into, "supervisor.called_again_rate")
}

package metric

import (
	"cmp"
	"slices"

	"evalctl/agent"
	"evalctl/eval"
)

// steps measures turns with several decisions by a supervisor, which may be any component.
//
// Decisions are the steps in which the supervisor was called.
//
//   - supervisor.called_again_rate: share of decisions in which it was called again.
//   - supervisor.correction_rate: share of decisions that were corrected (another action was
//     executed), of decisions that named an agent. A decision that named none is missing, because
//     its call failed or its answer was unreadable.
//
// Each has a family with one share for each reason that occurs in the suite, as in
// supervisor.correction_rate.REASON, with the same denominator. A failed turn misses one decision.
// The condition also lists the most frequent corrections, by proposed and executed agent.
//
// Episodes are the turns with a labeled path or more than one step.
//
// - supervisor.steps_mean: number of steps, including those without a call of the supervisor.
// - supervisor.exhausted_rate: share of episodes that ended at the step limit.
//
// A turn that stops to ask the user continues in the turn that answers it, and both are one
// episode. It is not an episode if the case has no such turn. An episode that was cut off by a
// failed call is missing.
type steps struct {
	reasons            *reasons // shared by the conditions of the suite
	corrected, again   share    // of decisions
	corrections, asked *split   // of decisions, by reason
	exhausted          share    // of episodes
	length             mean
	lost, unnamed      int64 // failed turns; decisions that named no agent
	instead            confused
}

// reasons are the reasons for corrections and repeated calls in any condition of a suite.
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

// ends counts episodes that ended or were cut off.
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

// episode is one turn, or several turns that each answer the previous one's question.
type episode struct {
	is             bool // an episode, not a single decision
	steps          int
	open           bool // waits for an answer
	cut, exhausted bool
}

func episodes(turns []eval.TurnRow) (list []episode) {
	of := map[int]int{} // index in list by turn, from 1
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

// Close adds nothing to a condition without repeated decisions.
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

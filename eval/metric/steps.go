package metric

import (
	"cmp"
	"slices"

	"evalctl/agent"
	"evalctl/eval"
)

// supervision measures turns with several decisions by a supervisor. The supervisor may be any
// component.
//
// Decisions are the steps of a turn in which the supervisor was called.
//
//   - supervisor.called_again_rate: share of decisions in which the supervisor was called again.
//   - supervisor.correction_rate: share of decisions that were corrected (another action was
//     executed), of decisions that named an agent. A decision that named none is missing, because its
//     call failed or its answer was unreadable.
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
type supervision struct {
	reasons                    *reasons // shared by all conditions of the suite
	corrected, calledAgain     share    // shares of decisions
	correctionReasons, repeats *split   // shares of decisions, by reason
	exhausted                  share    // share of episodes
	length                     mean
	failedTurns, unnamed       int64 // failed turns; decisions that named no agent
	topCorrections             confusions
}

// reasons are the reasons for corrections and repeated calls that occurred in any condition of a
// suite.
type reasons struct{ corrected, again map[string]struct{} }

func newReasons() *reasons {
	return &reasons{corrected: map[string]struct{}{}, again: map[string]struct{}{}}
}

func newSupervision(of *reasons) *supervision {
	return &supervision{
		reasons:           of,
		corrected:         newRandomShare(),
		calledAgain:       newRandomShare(),
		correctionReasons: newSplit(newRandomShare),
		repeats:           newSplit(newRandomShare),
	}
}

func (m *supervision) Add(trials []eval.Result) {
	corrected, again, named, decisions := map[string]int64{}, map[string]int64{}, int64(0), int64(0)
	for _, r := range trials {
		for _, t := range r.Turns {
			if !t.Answered && !isExhausted(t) {
				m.failedTurns++
			}
			for _, s := range t.Steps {
				if !s.IsDecision() {
					continue
				}
				reason := cmp.Or(s.Reason, "none")
				decisions++
				m.calledAgain.add(s.IsDiscarded())
				if s.IsDiscarded() {
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
					m.topCorrections.add(pair{expected: s.Proposed, predicted: s.Executed}, r.Case)
					m.reasons.corrected[reason] = struct{}{}
				}
			}
		}
		m.countEpisodes(episodes(r.Turns))
	}
	m.correctionReasons.addCase(corrected, named)
	m.repeats.addCase(again, decisions)
	endCase(&m.corrected, &m.calledAgain, &m.exhausted, &m.length)
}

// countEpisodes counts the episodes of a trial that ended or were cut off.
func (m *supervision) countEpisodes(list []episode) {
	for _, e := range list {
		switch {
		case !e.isEpisode || e.isWaiting && !e.isCutOff:
		case e.isCutOff && !e.isExhausted:
			m.exhausted.missing++
			m.length.missing++
		default:
			m.exhausted.add(e.isExhausted)
			m.length.add(float64(e.steps))
		}
	}
}

// episode is one turn, or several turns that each answer the question of the previous turn.
type episode struct {
	isEpisode             bool // has a labeled path or more than one step
	steps                 int
	isWaiting             bool // waits for an answer of the user
	isCutOff, isExhausted bool
}

func episodes(turns []eval.TurnSummary) (list []episode) {
	of := map[int]int{} // index in list by number of the turn, from 1
	for i, t := range turns {
		at, resumed := of[t.ResumesTurn]
		if !resumed {
			at, list = len(list), append(list, episode{})
		}
		of[i+1] = at
		e := &list[at]
		e.steps += len(t.Steps)
		e.isEpisode = e.isEpisode || t.HasDecisionSequence || e.steps > 1
		e.isWaiting = t.AsksUser
		e.isCutOff, e.isExhausted = e.isCutOff || t.HasFailed(), e.isExhausted || isExhausted(t)
	}
	return list
}

func isExhausted(t eval.TurnSummary) bool {
	return slices.ContainsFunc(t.Steps, func(s agent.Step) bool { return s.DecidedBy == agent.DecidedByMaxIterations })
}

// Close adds the metrics to the condition's summary. Without turns with several decisions it adds
// none.
func (m *supervision) Close(into *eval.ConditionSummary) {
	if m.calledAgain.total() == 0 && m.exhausted.total() == 0 {
		return
	}
	m.calledAgain.missing, m.repeats.missing = m.failedTurns, m.failedTurns
	m.corrected.missing, m.correctionReasons.missing = m.failedTurns+m.unnamed, m.failedTurns+m.unnamed
	into.Metrics["supervisor.correction_rate"] = m.corrected.estimate()
	into.Metrics["supervisor.called_again_rate"] = m.calledAgain.estimate()
	into.Metrics["supervisor.exhausted_rate"] = m.exhausted.estimate()
	into.Metrics["supervisor.steps_mean"] = atLeast(0, m.length.estimate())
	for _, p := range m.topCorrections.pairs() {
		into.Corrections = append(into.Corrections, eval.Correction{
			Proposed: p.Expected,
			Executed: p.Predicted,
			N:        p.N,
			Cases:    p.Cases,
		})
	}
	for name := range m.reasons.corrected {
		m.correctionReasons.addName(name)
	}
	for name := range m.reasons.again {
		m.repeats.addName(name)
	}
	m.correctionReasons.close(into, "supervisor.correction_rate")
	m.repeats.close(into, "supervisor.called_again_rate")
}

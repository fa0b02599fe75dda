package metric

import (
	"cmp"
	"slices"

	"evalctl/eval"
	"evalctl/eval/stats"
)

// faultEffect measures the effect of a fault in one condition of the fault matrix.
//
//   - fault.affected: share of trials in which the fault was triggered.
//   - fault.recovered: share of affected trials that were answered without an error reply in any
//     turn.
//   - fault.misrouted: share of affected trials that the fault misroutes. They were answered by
//     another route than the expected one, and the same case and epoch without the fault was not.
//   - fault.added_p95, fault.added_calls, fault.added_tokens: the cost of affected trials compared
//     with the same case and epoch without the fault. Whole trials count, answered or not. The first
//     is the difference of the two p95, the others are means. The tokens of a trial that failed
//     without usage are missing.
//
// A pair of trials with a cached call has no time: it is missing. fault.correct comes from a score.
type faultEffect struct {
	affected, recovered, misrouted share
	calls, tokens                  mean
	// durations of whole trials without and with the fault, in nanoseconds
	without, with stats.QuantileSketch
	untimed       int64 // pairs of trials with a cached call
}

// add counts a case: its trials in this condition, and those of the same variant without a fault.
func (m *faultEffect) add(trials, faultFree []eval.Result) {
	var without, with []int64
	for _, r := range trials {
		affected := len(r.TriggeredFaults) > 0
		if r.Error != nil && r.Error.Kind == eval.HarnessError && !affected {
			m.affected.missing++ // the trial did not run
			continue
		}
		m.affected.add(affected)
		if !affected {
			continue
		}
		before, paired := sameEpoch(faultFree, r.Epoch)
		if len(r.Expected) > 0 {
			m.misrouted.add(isMisrouted(r) && !(paired && isMisrouted(before)))
		}
		m.recovered.add(r.Error == nil && !r.HasErrorReply())
		if !paired {
			continue
		}
		if before.CachedCalls+r.CachedCalls > 0 {
			m.untimed++
		} else {
			without, with = append(without, int64(before.Duration)), append(with, int64(r.Duration))
		}
		m.calls.add(float64(r.Calls - before.Calls))
		if r.HasUnknownTokens() || before.HasUnknownTokens() {
			m.tokens.missing++
			continue
		}
		m.tokens.add(float64(r.Tokens.In + r.Tokens.Out - before.Tokens.In - before.Tokens.Out))
	}
	m.without.AddCase(without...)
	m.with.AddCase(with...)
	endCase(&m.affected, &m.recovered, &m.misrouted, &m.calls, &m.tokens)
}

// isMisrouted reports whether another route than the expected one answered, other than by an error
// reply. In a turn with several decisions it checks the labeled decision.
func isMisrouted(r eval.Result) bool {
	route := r.AnsweredBy
	if slices.ContainsFunc(r.Turns, func(t eval.TurnSummary) bool { return t.HasDecisionSequence }) {
		route = r.Predicted
	}
	return r.Error == nil && r.ErrorReply == "" && route != "" && !r.Expected.Has(route)
}

func sameEpoch(list []eval.Result, epoch int) (eval.Result, bool) {
	for _, r := range list {
		if r.Epoch == epoch {
			return r, true
		}
	}
	return eval.Result{}, false
}

// close adds the metrics to the condition's summary. Without affected trials it adds only their
// share.
func (m *faultEffect) close(into *eval.ConditionSummary) {
	into.Metrics["fault.affected"] = m.affected.estimate()
	if m.misrouted.total() > 0 {
		into.Metrics["fault.misrouted"] = m.misrouted.estimate()
	}
	if m.recovered.total() == 0 {
		return
	}
	into.Metrics["fault.recovered"] = m.recovered.estimate()
	into.Metrics["fault.added_calls"], into.Metrics["fault.added_tokens"] = m.calls.estimate(), m.tokens.estimate()
	p95 := eval.Estimate{N: m.with.N(), Missing: m.untimed}
	without, _ := m.without.Quantile(0.95)
	if with, ok := m.with.Quantile(0.95); ok {
		p95.Value = millis(with - without)
	}
	if p95.N+p95.Missing > 0 {
		into.Metrics["fault.added_p95"] = p95
	}
}

// newFaultEffects returns one faultEffect for each condition with a fault, and the index of the
// condition without a fault that it is compared with. It returns nil for a suite that is not a
// fault matrix.
func newFaultEffects(s eval.SuiteSummary) (list []*faultEffect, faultFree []int) {
	if !s.FaultMatrix {
		return nil, nil
	}
	list, faultFree = make([]*faultEffect, len(s.Conditions)), make([]int, len(s.Conditions))
	for i, v := range s.Conditions {
		if cmp.Or(v.Fault, eval.NoFault) == eval.NoFault {
			continue
		}
		list[i], faultFree[i] = &faultEffect{}, -1
		for j, other := range s.Conditions {
			if other.Variant == v.Variant && cmp.Or(other.Fault, eval.NoFault) == eval.NoFault {
				faultFree[i] = j
			}
		}
	}
	return list, faultFree
}

package metric

import (
	"cmp"
	"slices"

	"evalctl/eval"
	"evalctl/eval/stats"
)

// faultEffect tells of a cell of the fault matrix how many trials its fault struck, and of
// these: how many were answered all the same, by no apology (fault.recovered), how many
// by another route than the gold one (fault.misrouted), and what they took more than the
// same case and epoch without the fault, the whole trial counted, answered or not: the
// difference of the two p95, and the mean of calls and tokens added. A pair of which a
// call was answered from what is kept of an earlier run has no time: it is missing.
// fault.correct is a score's.
type faultEffect struct {
	hit, recovered, misrouted share
	calls, tokens             mean
	was, is                   stats.Sketch // whole trials, in nanoseconds
	untimed                   int64        // pairs
}

// add counts a case: the cell's trials, and those of its variant without a fault.
func (m *faultEffect) add(trials, sound []eval.Result) {
	var was, is []int64
	for _, r := range trials {
		hit := len(r.TriggeredFaults) > 0
		if r.Error != nil && r.Error.Kind == eval.HarnessError && !hit {
			m.hit.missing++ // it did not run
			continue
		}
		m.hit.add(hit)
		if !hit {
			continue
		}
		if len(r.Expected) > 0 {
			m.misrouted.add(isMisrouted(r))
		}
		m.recovered.add(r.Error == nil && r.ErrorReply == "")
		before, paired := sameEpoch(sound, r.Epoch)
		if !paired {
			continue
		}
		if before.CachedCalls+r.CachedCalls > 0 {
			m.untimed++
		} else {
			was, is = append(was, int64(before.Duration)), append(is, int64(r.Duration))
		}
		m.calls.add(float64(r.Calls - before.Calls))
		if r.Tokens.UnreportedCalls+before.Tokens.UnreportedCalls > 0 {
			m.tokens.missing++
			continue
		}
		m.tokens.add(float64(r.Tokens.In + r.Tokens.Out - before.Tokens.In - before.Tokens.Out))
	}
	m.was.AddCase(was...)
	m.is.AddCase(is...)
	endCase(&m.hit, &m.recovered, &m.misrouted, &m.calls, &m.tokens)
}

// isMisrouted tells an answer, no apology, that came by another route than the gold one;
// where it is decided again and again, that is of the decision that has a label.
func isMisrouted(r eval.Result) bool {
	route := r.AnsweredBy
	if slices.ContainsFunc(r.Turns, func(t eval.TurnRow) bool { return t.Episode }) {
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

// close leaves out what nothing struck has.
func (m *faultEffect) close(into *eval.ConditionSummary) {
	into.Metrics["fault.affected"] = m.hit.estimate()
	if m.misrouted.seen() > 0 {
		into.Metrics["fault.misrouted"] = m.misrouted.estimate()
	}
	if m.recovered.seen() == 0 {
		return
	}
	into.Metrics["fault.recovered"] = m.recovered.estimate()
	into.Metrics["fault.added_calls"], into.Metrics["fault.added_tokens"] = m.calls.estimate(), m.tokens.estimate()
	p95 := eval.Estimate{N: m.is.N(), Missing: m.untimed}
	was, _ := m.was.Quantile(0.95)
	if is, ok := m.is.Quantile(0.95); ok {
		p95.Value = millis(is - was)
	}
	if p95.N+p95.Missing > 0 {
		into.Metrics["fault.added_p95"] = p95
	}
}

// struckConditions has a struck for each cell with a fault, by place, and the places of the cells
// that they are held against; nil for a suite that is no matrix.
func struckConditions(s eval.SuiteSummary) (list []*faultEffect, sound []int) {
	if !s.FaultMatrix {
		return nil, nil
	}
	list, sound = make([]*faultEffect, len(s.Conditions)), make([]int, len(s.Conditions))
	for i, v := range s.Conditions {
		if cmp.Or(v.Fault, eval.NoFault) == eval.NoFault {
			continue
		}
		list[i], sound[i] = &faultEffect{}, -1
		for j, other := range s.Conditions {
			if other.Name == v.Name && cmp.Or(other.Fault, eval.NoFault) == eval.NoFault {
				sound[i] = j
			}
		}
	}
	return list, sound
}

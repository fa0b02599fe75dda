package metric

import (
	"slices"

	"evalctl/eval"
)

// fallback measures how an agent falls back.
//
//   - fallback.rate: share of trials that fell back, of trials that ran.
//   - fallback.recovered: share with an answer other than an error reply, of trials that fell
//     back.
//   - fallback.correct: share with the expected answer under this fault, of trials that fell
//     back. The case or the suite's table of outcomes defines the expectation.
//   - answered_by.correct: share answered by the expected component, of all trials whose case
//     names it because of a fault or a closed gate. These trials need not have fallen back.
//
// In a condition of a fault matrix only affected trials count in fallback.recovered and
// fallback.correct.
type fallback struct {
	matrix                           bool
	rate, recovered, correct, served share
	labeled                          bool // a case expects a degraded answer in this condition
}

func (m *fallback) Add(trials []eval.Result) {
	for _, r := range trials {
		m.trial(r)
	}
	endCase(&m.rate, &m.recovered, &m.correct, &m.served)
}

func (m *fallback) trial(r eval.Result) {
	stepped := len(r.Fallbacks) > 0
	if !stepped && (r.HasUnreportedCalls() || r.Error != nil && r.Error.Kind == eval.HarnessError) {
		m.rate.missing++ // unknown, or the trial did not run
	} else {
		m.rate.add(stepped)
	}
	under := r.Fault != "" && r.Fault != eval.NoFault
	counts := stepped && (!m.matrix || !under || len(r.TriggeredFaults) > 0)
	if counts {
		m.recovered.add(r.Error == nil && r.ErrorReply == "")
	}
	served, named := scoreOf(r, eval.FallbackScore)
	if named {
		m.served.judge(served.Verdict)
	}
	if !under {
		return
	}
	if demanded, ok := scoreOf(r, eval.FaultCorrectScore); ok && (!named || served.Verdict == eval.Unscored) {
		served, named = demanded, true
	}
	m.labeled = m.labeled || named
	switch {
	case named && counts:
		m.correct.judge(served.Verdict)
	case counts && m.matrix: // no expected outcome
		m.correct.missing++
	}
}

func scoreOf(r eval.Result, name string) (eval.Score, bool) {
	i := slices.IndexFunc(r.Scores, func(s eval.Score) bool { return s.Name == name })
	if i < 0 {
		return eval.Score{}, false
	}
	return r.Scores[i], true
}

// Close omits what cannot occur in this condition: recovery if no trial fell back, degraded answers
// if no case expects one.
func (m *fallback) Close(into *eval.ConditionSummary) {
	into.Metrics["fallback.rate"] = m.rate.estimate()
	if m.recovered.seen() > 0 {
		into.Metrics["fallback.recovered"] = m.recovered.estimate()
	}
	if m.labeled {
		into.Metrics["fallback.correct"] = m.correct.estimate()
	}
	if m.served.seen() > 0 {
		into.Metrics["answered_by.correct"] = m.served.estimate()
	}
}

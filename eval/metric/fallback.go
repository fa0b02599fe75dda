package metric

import (
	"slices"

	"evalctl/eval"
)

// fallback measures how often an agent falls back, and with which outcome. Each fallback event of
// the agent counts, whatever its reason: a part failed, it found nothing, or its confidence was below
// the threshold.
//
//   - fallback.rate: share of trials that fell back, of trials that ran.
//   - fallback.recovered: share with an answer other than an error reply, of trials that fell back.
//   - fallback.correct: share with the expected answer under this fault, of trials that fell back.
//     The case or the suite's table of outcomes defines the expectation.
//   - answered_by.correct: share answered by the expected component, of all trials whose case names
//     it because of a fault or a closed gate. These trials need not have fallen back.
//
// In a condition of a fault matrix only affected trials count in fallback.recovered and
// fallback.correct.
type fallback struct {
	matrix                               bool
	rate, recovered, correct, answeredBy share
	labeled                              bool // some case expects a fallback answer in this condition
}

func (m *fallback) Add(trials []eval.Result) {
	for _, r := range trials {
		m.addTrial(r)
	}
	endCase(&m.rate, &m.recovered, &m.correct, &m.answeredBy)
}

func (m *fallback) addTrial(r eval.Result) {
	fellBack := len(r.Fallbacks) > 0
	if !fellBack && (r.HasUnreportedCalls() || r.Error != nil && r.Error.Kind == eval.HarnessError) {
		m.rate.missing++ // unknown whether it fell back, or the trial did not run
	} else {
		m.rate.add(fellBack)
	}
	hasFault := r.Fault != "" && r.Fault != eval.NoFault
	counts := fellBack && (!m.matrix || !hasFault || len(r.TriggeredFaults) > 0)
	if counts {
		m.recovered.add(r.Error == nil && !r.HasErrorReply())
	}
	answeredBy, hasExpectation := scoreOf(r, eval.FallbackScore)
	if hasExpectation {
		m.answeredBy.addVerdict(answeredBy.Verdict)
	}
	if !hasFault {
		return
	}
	if expectedOutcome, ok := scoreOf(r, eval.FaultCorrectScore); ok &&
		(!hasExpectation || answeredBy.Verdict == eval.Unscored) {
		answeredBy, hasExpectation = expectedOutcome, true
	}
	m.labeled = m.labeled || hasExpectation
	switch {
	case hasExpectation && counts:
		m.correct.addVerdict(answeredBy.Verdict)
	case counts && m.matrix: // no outcome is expected
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

// Close adds the metrics to the condition's summary. It omits metrics without any trial to count.
func (m *fallback) Close(into *eval.ConditionSummary) {
	into.Metrics["fallback.rate"] = m.rate.estimate()
	if m.recovered.total() > 0 {
		into.Metrics["fallback.recovered"] = m.recovered.estimate()
	}
	if m.labeled {
		into.Metrics["fallback.correct"] = m.correct.estimate()
	}
	if m.answeredBy.total() > 0 {
		into.Metrics["answered_by.correct"] = m.answeredBy.estimate()
	}
}

package metric

import (
	"slices"

	"evalctl/eval"
)

// fallback tells how often the agent stepped down (of trials that ran), whether an
// answer came of it that is no apology (of those that stepped down), and whether
// it was the one that the case expects under this fault (of those that stepped
// down, where the case, or the suite's table of outcomes, says so). Besides, answered_by.correct is over all trials whose
// case says who is to answer, because of a fault or of a closed gate, whether they
// stepped down or not. In a cell of a fault matrix only trials that the fault struck
// count as having recovered, or not, and as correct.
type fallback struct {
	matrix                           bool
	rate, recovered, correct, served share
	labeled                          bool // some case expects a degraded answer here
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
		m.rate.missing++ // nobody knows, or it did not run
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
	case counts && m.matrix: // nobody says what should have come
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

// Close leaves out what cannot arise in this cell: recovery where nobody stepped
// down, degraded answers where no case expects one.
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

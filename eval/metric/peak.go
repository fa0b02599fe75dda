package metric

import "evalctl/eval"

// peak is how many model calls were under way at once in a turn: calls.peak the most in
// any trial, and calls.peak_mean the mean of the trials' most. A trial that failed before
// any call is missing, and that of a foreign agent; one that needed none has 0.
type peak struct {
	most  int64
	trial mean
}

func (m *peak) Add(trials []eval.Result) {
	for _, r := range trials {
		if r.PeakCalls < 1 && (r.Error != nil || r.ExternalRequests > 0) {
			m.trial.missing++
			continue
		}
		m.most = max(m.most, r.PeakCalls)
		m.trial.add(float64(r.PeakCalls))
	}
	m.trial.endCase()
}

func (m *peak) Close(into *eval.ConditionSummary) {
	trial := m.trial.estimate()
	most := eval.Estimate{N: trial.N, Cases: trial.Cases, Missing: trial.Missing}
	if trial.N > 0 {
		most.Value = new(float64(m.most))
	}
	into.Metrics["calls.peak"], into.Metrics["calls.peak_mean"] = most, trial
}

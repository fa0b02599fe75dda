package metric

import "evalctl/eval"

// peak measures how many model calls of a turn are open at the same time. calls.peak is the maximum
// over all trials, calls.peak_mean the mean of the trials' maxima. A trial that failed before its
// first call is missing, as is a trial of an external agent. A trial without calls counts as 0.
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
	trial := atLeast(0, m.trial.estimate())
	most := eval.Estimate{N: trial.N, Cases: trial.Cases, Missing: trial.Missing}
	if trial.N > 0 {
		most.Value = new(float64(m.most))
	}
	into.Metrics["calls.peak"], into.Metrics["calls.peak_mean"] = most, trial
}

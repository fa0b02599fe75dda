package metric

import "evalctl/eval"

// passShares computes the share of trials that pass, for every scorer that judges an answer as
// right or wrong. Scores from 0 to 1 are in scoreMeans. In a fault matrix every affected trial
// should have an expected outcome. A trial without one is missing in fault.correct and counts in
// fault.unspecified.
type passShares struct {
	matrix      bool
	all         map[string]*share
	unspecified share
}

func (m *passShares) Add(trials []eval.Result) {
	for _, r := range trials {
		if m.matrix && len(r.TriggeredFaults) > 0 {
			m.countAffected(r)
		}
		for _, s := range r.Scores {
			// compare the name, because rows of a journal have no Aspect
			if s.Name == eval.RouteScore || s.Name == eval.FallbackScore || s.IsMeasurement() {
				continue
			}
			name, v := s.MetricVerdict()
			m.share(name).addVerdict(v)
		}
	}
	for _, s := range m.all {
		s.endCase()
	}
	m.unspecified.endCase()
}

// countAffected counts a trial in which the fault was triggered, and whether its outcome is expected.
func (m *passShares) countAffected(r eval.Result) {
	_, isScored := scoreOf(r, eval.FaultCorrectScore)
	if !isScored {
		m.share(eval.FaultCorrectScore).missing++
	}
	isLost := r.Error != nil && (r.Error.Kind == eval.HarnessError || r.Error.Kind == eval.ScorerError)
	m.unspecified.add(!isScored && !isLost)
}

func (m *passShares) share(name string) *share {
	if m.all == nil {
		m.all = map[string]*share{}
	}
	if m.all[name] == nil {
		m.all[name] = &share{}
	}
	return m.all[name]
}

func (m *passShares) Close(into *eval.ConditionSummary) {
	for name, s := range m.all {
		into.Metrics[name] = s.estimate()
	}
	if m.unspecified.total() == 0 {
		return
	}
	unspecified := m.unspecified.estimate()
	into.Metrics["fault.unspecified"] = unspecified
	if *unspecified.Value == 1 { // no trial has an expected outcome
		delete(into.Metrics, eval.FaultCorrectScore)
	}
}

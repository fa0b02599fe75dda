package metric

import "evalctl/eval"

// aspects has the share of trials that pass, for every scorer that judges one
// side of the answer as right or wrong; measures has those that are neither. In a fault
// matrix every trial that was struck should have come to what is demanded: one of which
// nobody says what that is, is missing of fault.correct, and counts in fault.unspecified.
type aspects struct {
	matrix bool
	all    map[string]*share
	untold share
}

func (m *aspects) Add(trials []eval.Result) {
	for _, r := range trials {
		if m.matrix && len(r.TriggeredFaults) > 0 {
			m.demanded(r)
		}
		for _, s := range r.Scores {
			if s.Name == eval.RouteScore || s.Name == eval.FallbackScore || s.IsMeasure() { // by name: a row from the journal has no Aspect
				continue
			}
			name, v := s.MetricVerdict()
			m.share(name).judge(v)
		}
	}
	for _, s := range m.all {
		s.endCase()
	}
	m.untold.endCase()
}

// demanded counts a trial that was struck.
func (m *aspects) demanded(r eval.Result) {
	_, judged := scoreOf(r, eval.FaultCorrectScore)
	if !judged {
		m.share(eval.FaultCorrectScore).missing++
	}
	lost := r.Error != nil && (r.Error.Kind == eval.HarnessError || r.Error.Kind == eval.ScorerError)
	m.untold.add(!judged && !lost)
}

func (m *aspects) share(name string) *share {
	if m.all == nil {
		m.all = map[string]*share{}
	}
	if m.all[name] == nil {
		m.all[name] = &share{}
	}
	return m.all[name]
}

func (m *aspects) Close(into *eval.ConditionSummary) {
	for name, s := range m.all {
		into.Metrics[name] = s.estimate()
	}
	if m.untold.seen() == 0 {
		return
	}
	untold := m.untold.estimate()
	into.Metrics["fault.unspecified"] = untold
	if *untold.Value == 1 { // there is nothing to miss
		delete(into.Metrics, eval.FaultCorrectScore)
	}
}

package metric

import "evalctl/eval"

// aspects has the share of trials that pass, for every scorer that judges one
// side of the answer as right or wrong; measures has those that are neither.
type aspects struct{ all map[string]*share }

func (m *aspects) Add(trials []eval.Result) {
	for _, r := range trials {
		for _, s := range r.Scores {
			if s.Name == eval.RouteScore || s.Name == eval.FallbackScore || s.IsMeasure() { // by name: a row from the journal has no Aspect
				continue
			}
			name, v := s.Measures()
			m.share(name).judge(v)
		}
	}
	for _, s := range m.all {
		s.endCase()
	}
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

func (m *aspects) Close(into *eval.CellSummary) {
	for name, s := range m.all {
		into.Metrics[name] = s.estimate()
	}
}

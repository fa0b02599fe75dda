package metric

import "evalctl/eval"

// aspects has the share of trials that pass, for every scorer that judges one
// side of the answer; the metric bears the scorer's name.
type aspects struct{ passed map[string]*share }

func (m *aspects) Add(r eval.Result) {
	for _, s := range r.Scores {
		if s.Name == "route" || s.Name == "fallback" { // by name: a row from the journal has no Aspect
			continue
		}
		if m.passed == nil {
			m.passed = map[string]*share{}
		}
		if m.passed[s.Name] == nil {
			m.passed[s.Name] = &share{}
		}
		if s.Verdict == eval.Unjudged {
			m.passed[s.Name].missing++
			continue
		}
		m.passed[s.Name].add(s.Verdict == eval.Pass)
	}
}

func (m *aspects) Close(into *eval.CellSummary, epochs int64) {
	for name, s := range m.passed {
		into.Metrics[name] = s.estimate(epochs)
	}
}

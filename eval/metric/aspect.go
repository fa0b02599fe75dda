package metric

import "evalctl/eval"

// aspects has the share of trials that pass, for every scorer that judges one
// side of the answer; the metric bears the scorer's name.
type aspects struct{ passed map[string]*share }

func (m *aspects) Add(r eval.Result) {
	for _, s := range r.Scores {
		if s.Name == "route" || s.Name == "fallback" {
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

// apologies counts the trials whose answer is an apology, by its code.
type apologies struct {
	rate  share
	codes map[string]int64
}

func (m *apologies) Add(r eval.Result) {
	if r.Error != nil {
		m.rate.missing++
		return
	}
	m.rate.add(r.Failure != "")
	if r.Failure == "" {
		return
	}
	if m.codes == nil {
		m.codes = map[string]int64{}
	}
	m.codes[r.Failure]++
}

func (m *apologies) Close(into *eval.CellSummary, epochs int64) {
	into.Metrics["apology.rate"] = m.rate.estimate(epochs)
	for code, n := range m.codes {
		into.Metrics["apology."+code] = count(float64(n), m.rate.n)
	}
}

package metric

import "evalctl/eval"

// measures are the means of what is measured from 0 to 1, such as how much of what is to
// be found is found, and of what is to be stated stated: over the trials whose cases say
// what. One that failed, or ended in an apology, is missing.
type measures struct{ all map[string]*mean }

func (m *measures) Add(trials []eval.Result) {
	for _, r := range trials {
		for _, s := range r.Scores {
			if s.IsMeasure() {
				m.judge(s)
			}
		}
	}
	for _, of := range m.all {
		of.endCase()
	}
}

func (m *measures) judge(s eval.Score) {
	if m.all == nil {
		m.all = map[string]*mean{}
	}
	if m.all[s.Name] == nil {
		m.all[s.Name] = &mean{}
	}
	if s.Verdict == eval.Unscored {
		m.all[s.Name].missing++
		return
	}
	m.all[s.Name].add(s.Value)
}

// Close leaves a cell in which nothing is measured as it is.
func (m *measures) Close(into *eval.ConditionSummary) {
	for name, of := range m.all {
		into.Metrics[name] = bounded(of.estimate(), 0, 1)
	}
}

// bounded keeps an interval to what a mean can be.
func bounded(e eval.Estimate, least, most float64) eval.Estimate {
	if e.Lo != nil && e.Hi != nil {
		e.Lo, e.Hi = new(max(*e.Lo, least)), new(min(*e.Hi, most))
	}
	return e
}

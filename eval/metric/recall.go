package metric

import "evalctl/eval"

// recall is how much of what is to be found is found, on average over the trials
// whose cases expect some. One that failed, or ended in an apology, is missing.
type recall struct {
	found mean
	seen  bool
}

func (m *recall) Add(trials []eval.Result) {
	for _, r := range trials {
		for _, s := range r.Scores {
			if s.Name != eval.RecallScore {
				continue
			}
			m.seen = true
			if s.Verdict == eval.Unjudged {
				m.found.missing++
				continue
			}
			m.found.add(s.Value)
		}
	}
	m.found.endCase()
}

// Close leaves a cell in which nothing is looked for as it is.
func (m *recall) Close(into *eval.CellSummary) {
	if m.seen {
		into.Metrics[eval.RecallScore] = m.found.estimate()
	}
}

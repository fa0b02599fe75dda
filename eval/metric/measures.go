package metric

import (
	"evalctl/eval"
	"math"
)

// scoreMeans computes the means of scores from 0 to 1, such as retrieval recall and stated facts,
// over the trials whose cases list the expected items. A trial that failed or ended in an error
// reply is missing.
type scoreMeans struct{ all map[string]*mean }

func (m *scoreMeans) Add(trials []eval.Result) {
	for _, r := range trials {
		for _, s := range r.Scores {
			if s.IsMeasurement() {
				m.judge(s)
			}
		}
	}
	for _, of := range m.all {
		of.endCase()
	}
}

func (m *scoreMeans) judge(s eval.Score) {
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

// Close adds the means to the condition's summary. Without such scores it adds none.
func (m *scoreMeans) Close(into *eval.ConditionSummary) {
	for name, of := range m.all {
		into.Metrics[name] = bounded(of.estimate(), 0, 1)
	}
}

// atLeast limits the interval of e to values that are not below the least possible one.
func atLeast(least float64, e eval.Estimate) eval.Estimate { return bounded(e, least, math.Inf(1)) }

// bounded limits the interval of e to the possible range of its value.
func bounded(e eval.Estimate, least, most float64) eval.Estimate {
	if e.Lo != nil && e.Hi != nil {
		e.Lo, e.Hi = new(max(*e.Lo, least)), new(min(*e.Hi, most))
	}
	return e
}

package metric

import (
	"slices"

	"evalctl/eval"
)

// fallback tells how often the agent stepped down, whether an answer came of
// it that is no apology, and whether it was the degraded answer that the case expects.
type fallback struct {
	rate, recovered, correct share
	expected                 bool // some case expects a degraded answer here
}

func (m *fallback) Add(r eval.Result) {
	m.rate.add(len(r.Fallbacks) > 0)
	if len(r.Fallbacks) > 0 || r.Error != nil {
		m.recovered.add(r.Error == nil && r.Failure == "")
	}
	i := slices.IndexFunc(r.Scores, func(s eval.Score) bool { return s.Name == "fallback" })
	if i < 0 {
		return
	}
	m.expected = true
	if r.Scores[i].Verdict == eval.Unjudged {
		m.correct.missing++
		return
	}
	m.correct.add(r.Scores[i].Verdict == eval.Pass)
}

// Close leaves out what cannot arise in this cell: recovery where nothing
// went wrong, degraded answers where no case expects one.
func (m *fallback) Close(into *eval.CellSummary, epochs int64) {
	into.Metrics["fallback.rate"] = m.rate.estimate(epochs)
	if m.recovered.n > 0 {
		into.Metrics["fallback.recovered"] = m.recovered.estimate(epochs)
	}
	if m.expected {
		into.Metrics["fallback.correct"] = m.correct.estimate(epochs)
	}
}

package metric

import (
	"math"

	"evalctl/eval"
)

// compression is compression.ratio: how many tokens of each are left where a session's
// history is compressed, on average over the times that it was.
type compression struct{ ratio mean }

func (m *compression) Add(trials []eval.Result) {
	for _, r := range trials {
		for _, c := range r.Compressions {
			m.ratio.add(float64(c.TokensAfter) / float64(max(c.TokensBefore, 1)))
		}
	}
	m.ratio.endCase()
}

// Close leaves a cell in which nothing was compressed as it is.
func (m *compression) Close(into *eval.ConditionSummary) {
	if m.ratio.cases.N() > 0 {
		into.Metrics["compression.ratio"] = bounded(m.ratio.estimate(), 0, math.Inf(1))
	}
}

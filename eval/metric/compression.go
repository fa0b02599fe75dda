package metric

import (
	"evalctl/eval"
)

// compressionRatio measures compression.ratio: tokens after the compression of a session's history
// divided by tokens before, as the mean over all compressions.
type compressionRatio struct{ ratio mean }

func (m *compressionRatio) Add(trials []eval.Result) {
	for _, r := range trials {
		for _, c := range r.Compressions {
			m.ratio.add(float64(c.TokensAfter) / float64(max(c.TokensBefore, 1)))
		}
	}
	m.ratio.endCase()
}

// Close adds the metric to the condition's summary. Without any compression it adds none.
func (m *compressionRatio) Close(into *eval.ConditionSummary) {
	if m.ratio.cases.N() > 0 {
		into.Metrics["compression.ratio"] = atLeast(0, m.ratio.estimate())
	}
}

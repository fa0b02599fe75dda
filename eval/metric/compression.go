package metric

import (
	"math"

	"evalctl/eval"
)

// compressionRatio measures compression.ratio: tokens after compression divided by tokens before,
// averaged over all compressions of session histories.
type compressionRatio struct{ ratio mean }

func (m *compressionRatio) Add(trials []eval.Result) {
	for _, r := range trials {
		for _, c := range r.Compressions {
			m.ratio.add(float64(c.TokensAfter) / float64(max(c.TokensBefore, 1)))
		}
	}
	m.ratio.endCase()
}

// Close adds nothing to a condition without compressions.
func (m *compressionRatio) Close(into *eval.ConditionSummary) {
	if m.ratio.cases.N() > 0 {
		into.Metrics["compression.ratio"] = bounded(m.ratio.estimate(), 0, math.Inf(1))
	}
}

package metric

import (
	"maps"
	"slices"

	"evalctl/eval"
)

// sources tells who decided: of those that the system knows, and of any other
// that was seen, the share of trials with a decision.
type sources struct {
	known []string
	n     int64
	by    map[string]int64
}

func (m *sources) Add(r eval.Result) {
	if r.Source == "" {
		return
	}
	if m.by == nil {
		m.by = map[string]int64{}
	}
	m.n++
	m.by[r.Source]++
}

func (m *sources) Close(into *eval.CellSummary, epochs int64) {
	for _, source := range slices.Concat(m.known, slices.Collect(maps.Keys(m.by))) {
		into.Metrics["router.by."+source] = share{k: m.by[source], n: m.n}.estimate(epochs)
	}
}

package stats

import "iter"

// NewSketch is a sketch that is exact up to distinct different values.
func NewSketch(distinct int) *Sketch { return &Sketch{limit: distinct} }

// Exact tells a sketch whose quantiles are exact.
func (s *Sketch) Exact() bool { return s.coarse == nil }

// All yields every value with its count, ascending; a coarse sketch yields the
// middle of each bin.
func (s *Sketch) All() iter.Seq2[int64, int64] {
	return func(yield func(v, n int64) bool) {
		below := int64(0)
		for _, st := range s.steps() {
			if !yield(s.clamp(st.middle), st.upTo-below) {
				return
			}
			below = st.upTo
		}
	}
}

// NewBootstrap is a bootstrap of that many replicates, 0 for the usual 400.
func NewBootstrap(replicates int, seed uint64) *Bootstrap {
	return &Bootstrap{count: replicates, seed: seed}
}

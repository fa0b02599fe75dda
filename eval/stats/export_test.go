package stats

import "iter"

// NewSketch creates a sketch that is exact up to distinct different values.
func NewSketch(distinct int) *Sketch { return &Sketch{limit: distinct} }

// Exact reports whether quantiles are exact.
func (s *Sketch) Exact() bool { return s.coarse == nil }

// All yields every value with its count, ascending; a coarse sketch yields the middle of each bin.
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

// NewF1 creates an F1 with a limit of different cases.
func NewF1(limit int) *F1 { return &F1{limit: limit} }

// Weights draws n weights of a case.
func Weights(seed, key uint64, n int) []uint8 {
	weights := make([]uint8, n)
	drawWeights(weights, seed, key)
	return weights
}

// LimitP returns [Paired.Exact] and [Paired.P] by the normal limit.
func (p *Paired) LimitP() (exact, midP float64) {
	flips, sum := p.flips()
	farther, equal := flips.normalBeyond(sum)
	return farther + equal, farther + equal/2
}

// IsExact reports whether the sign-flip distribution is computed exactly.
func (p *Paired) IsExact() bool {
	flips, _ := p.flips()
	return flips.work() <= maxFlipWork
}

// WeightedQuantile is the quantile of ascending values with weights.
func WeightedQuantile(values []int64, weights []uint8, q float64) int64 {
	quantiles := newWeightedQuantiles(1, q)
	for _, w := range weights {
		quantiles.addWeights([]uint8{w})
	}
	quantiles.rank()
	for i, w := range weights {
		quantiles.addValue(values[i], []uint8{w})
	}
	return quantiles.values[0]
}

// AddN adds n equal cases.
func (p *Paired) AddN(n, kA, mA, kB, mB int64) {
	if n < 1 {
		return
	}
	p.Add(kA, mA, kB, mB)
	p.n += n - 1
	for d := range p.cases {
		if d.num*mA*mB == d.den*(kB*mA-kA*mB) {
			p.cases[d] += n - 1
		}
	}
}

const (
	DropMore   = dropMore
	DropWithin = dropWithin
	NoProof    = noProof
)

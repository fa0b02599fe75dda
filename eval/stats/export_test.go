package stats

import "iter"

// NewSketch returns a sketch that is exact up to this many different values, so that tests reach
// the coarse form early.
func NewSketch(distinct int) *QuantileSketch { return &QuantileSketch{limit: distinct} }

// IsExact reports whether the sketch still stores exact values, and so returns exact quantiles.
func (s *QuantileSketch) IsExact() bool { return s.coarse == nil }

// All yields every stored value with its count in ascending order. A coarse sketch yields the
// middle of each bin.
func (s *QuantileSketch) All() iter.Seq2[int64, int64] {
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

// NewF1 returns an F1 that stores at most limit different cases, so that tests reach the limit
// early.
func NewF1(limit int) *F1 { return &F1{limit: limit} }

// Weights returns n bootstrap weights of the case with this key.
func Weights(seed, key uint64, n int) []uint8 {
	weights := make([]uint8, n)
	drawWeights(weights, seed, key)
	return weights
}

// LimitP returns the p-values [Paired.ExactP] and [Paired.MidP] as the normal limit gives them.
func (p *PairedAccuracy) LimitP() (exact, midP float64) {
	flips, sum := p.flips()
	farther, equal := flips.normalBeyond(sum)
	return farther + equal, farther + equal/2
}

// IsExact reports whether p-values are computed exactly, and not by the normal limit.
func (p *PairedAccuracy) IsExact() bool {
	flips, _ := p.flips()
	return flips.work() <= maxFlipWork
}

// WeightedQuantile returns the q-quantile of ascending values with bootstrap weights.
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

// AddN adds n cases with equal results.
func (p *PairedAccuracy) AddN(n, kA, mA, kB, mB int64) {
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

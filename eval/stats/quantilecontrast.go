package stats

import (
	"cmp"
	"math"
	"slices"
)

const (
	contrastReplicates = 1000
	contrastSeed       = 0x5eed

	fewestForContrast = 30 // cases; of them, beyond the quantile:
	fewestBeyond      = 3
)

// QuantileContrast compares a quantile of A with that of B over the same cases. The
// zero value has no case.
//
// Its intervals are percentiles of 1,000 resamples of whole cases: in each a case has a
// Poisson(1) weight that both sides share, so that they stay paired, and that is drawn
// from its key, so that the order of cases does not matter. Sources: as for the weights
// Hanley & MacGibbon, «Creating non-parametric bootstrap samples using Poisson
// frequencies», Computer Methods and Programs in Biomedicine 83 (2006); Efron &
// Tibshirani, «An Introduction to the Bootstrap» (1993), §13.3.
type QuantileContrast struct {
	n    int64
	a, b []keyed // of all cases, while each has at most maxMatched
}

// keyed is a value of the case with that key.
type keyed struct {
	value int64
	key   uint64
}

// Interval is a value with its confidence interval.
type Interval struct{ Value, Lo, Hi float64 }

// Add counts a case, known by a hash of its id, with its values under A and under B;
// one without a value on either side is left out.
func (c *QuantileContrast) Add(key uint64, a, b []int64) {
	if len(a) == 0 || len(b) == 0 {
		return
	}
	c.n++
	c.a, c.b = appendKeyed(c.a, key, a), appendKeyed(c.b, key, b)
}

// appendKeyed stops growing at one more than maxMatched.
func appendKeyed(to []keyed, key uint64, values []int64) []keyed {
	for _, v := range values[:min(len(values), maxMatched+1-len(to))] {
		to = append(to, keyed{value: v, key: key})
	}
	return to
}

// N is how many cases have values on both sides.
func (c *QuantileContrast) N() int64 { return c.n }

// Difference is the q-quantile of B less that of A; ok is false where there are too
// few cases (30 for a median or a p90, 60 for a p95, 300 for a p99), or more than
// 16,384 values on a side.
func (c *QuantileContrast) Difference(q, level float64) (Interval, bool) {
	return c.contrast(q, level, func(a, b int64) float64 { return float64(b - a) })
}

// Ratio is the q-quantile of B over that of A; ok is false as in
// [QuantileContrast.Difference], and where a resample of A has the quantile 0.
func (c *QuantileContrast) Ratio(q, level float64) (Interval, bool) {
	return c.contrast(q, level, func(a, b int64) float64 { return float64(b) / float64(a) })
}

func (c *QuantileContrast) contrast(q, level float64, of func(a, b int64) float64) (Interval, bool) {
	k := int(float64(contrastReplicates+1)*(1-level)/2 + 1e-9)
	if !c.enough(q) || !isLevel(level) || k < 1 {
		return Interval{}, false
	}
	a, b := resample(c.a, q), resample(c.b, q)
	replicates := make([]float64, len(a.replicates))
	for i := range replicates {
		replicates[i] = of(a.replicates[i], b.replicates[i])
	}
	if slices.ContainsFunc(append(replicates, of(a.value, b.value)), isNoNumber) {
		return Interval{}, false
	}
	slices.Sort(replicates)
	return Interval{Value: of(a.value, b.value), Lo: replicates[k-1], Hi: replicates[len(replicates)-k]}, true
}

func isNoNumber(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }

func (c *QuantileContrast) enough(q float64) bool {
	if !isLevel(q) || len(c.a) > maxMatched || len(c.b) > maxMatched {
		return false
	}
	n := float64(c.n)
	return c.n >= fewestForContrast && n*min(q, 1-q) >= fewestBeyond-1e-9
}

// resampledQuantile is a quantile of the values and of each resample of them.
type resampledQuantile struct {
	value      int64
	replicates []int64
}

// resample draws the weights of a case twice rather than keep them.
func resample(values []keyed, q float64) resampledQuantile {
	slices.SortFunc(values, func(a, b keyed) int { return cmp.Or(cmp.Compare(a.value, b.value), cmp.Compare(a.key, b.key)) })
	weights, quantiles := make([]uint8, contrastReplicates), newWeightedQuantiles(contrastReplicates, q)
	for _, v := range values {
		drawWeights(weights, contrastSeed, v.key)
		quantiles.weigh(weights)
	}
	quantiles.rank()
	for _, v := range values {
		drawWeights(weights, contrastSeed, v.key)
		quantiles.pass(v.value, weights)
	}
	return resampledQuantile{value: values[rankOf(q, int64(len(values)))-1].value, replicates: quantiles.values}
}

// weightedQuantiles are those of many resamples at once: the least value at and below
// which the share q of the weight lies.
type weightedQuantiles struct {
	q      float64
	left   []int64 // weight; after rank, up to the quantile
	values []int64
}

func newWeightedQuantiles(replicates int, q float64) *weightedQuantiles {
	return &weightedQuantiles{q: q, left: make([]int64, replicates), values: make([]int64, replicates)}
}

func (w *weightedQuantiles) weigh(weights []uint8) {
	for i, weight := range weights {
		w.left[i] += int64(weight)
	}
}

func (w *weightedQuantiles) rank() {
	for i, total := range w.left {
		w.left[i] = rankOf(w.q, total)
	}
}

// pass takes the values in ascending order.
func (w *weightedQuantiles) pass(value int64, weights []uint8) {
	for i, weight := range weights {
		if w.left[i] > 0 {
			w.values[i] = value
			w.left[i] -= int64(weight)
		}
	}
}

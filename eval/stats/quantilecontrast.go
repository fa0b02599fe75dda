package stats

import (
	"cmp"
	"math"
	"slices"
)

const (
	contrastReplicates = 1000
	contrastSeed       = 0x5eed

	minCases       = 30 // minimum number of cases; minCasesBeyond of them are expected beyond the quantile
	minCasesBeyond = 3
)

// PairedQuantiles compares a quantile of A, such as the p95 of a latency, with that of B over the
// same cases. The zero value is empty.
//
// Its intervals are percentiles of 1,000 resamples of whole cases. In each resample a case has a
// Poisson(1) weight. Both sides share the weight, so they stay paired. The weight depends only on
// the case's key, so the order of cases does not matter. Sources: for the weights Hanley &
// MacGibbon, "Creating non-parametric bootstrap samples using Poisson frequencies", Computer
// Methods and Programs in Biomedicine 83 (2006); for the percentiles Efron & Tibshirani, "An
// Introduction to the Bootstrap" (1993), §13.3.
type PairedQuantiles struct {
	n    int64
	a, b []keyedValue // all values, up to maxMatched on each side
}

// keyedValue is a value with the key of the case that it belongs to.
type keyedValue struct {
	value int64
	key   uint64
}

// Estimate is an estimate (Value) with the lower and upper end of its confidence interval.
type Estimate struct{ Value, Lo, Hi float64 }

// Add adds a case with its values under A and under B. key is a hash of the case's id. A case
// without values on either side is ignored.
func (c *PairedQuantiles) Add(key uint64, a, b []int64) {
	if len(a) == 0 || len(b) == 0 {
		return
	}
	c.n++
	c.a, c.b = appendKeyed(c.a, key, a), appendKeyed(c.b, key, b)
}

// appendKeyed appends the values of a case with its key. It stops at maxMatched+1 values, which
// mark the side as too large.
func appendKeyed(to []keyedValue, key uint64, values []int64) []keyedValue {
	for _, v := range values[:min(len(values), maxMatched+1-len(to))] {
		to = append(to, keyedValue{value: v, key: key})
	}
	return to
}

// N returns the number of cases with values on both sides.
func (c *PairedQuantiles) N() int64 { return c.n }

// Difference returns the q-quantile of B less that of A, with its confidence interval. ok is false
// with too few cases (30 for a median or p90, 60 for a p95, 300 for a p99), or with more than
// 16,384 values on a side.
func (c *PairedQuantiles) Difference(q, level float64) (Estimate, bool) {
	return c.contrast(q, level, func(a, b int64) float64 { return float64(b - a) })
}

// Ratio returns the q-quantile of B divided by that of A, with its confidence interval. ok is false
// as in [PairedQuantiles.Difference], and if a resample of A has the quantile 0.
func (c *PairedQuantiles) Ratio(q, level float64) (Estimate, bool) {
	return c.contrast(q, level, func(a, b int64) float64 { return float64(b) / float64(a) })
}

func (c *PairedQuantiles) contrast(q, level float64, of func(a, b int64) float64) (Estimate, bool) {
	k := int(float64(contrastReplicates+1)*(1-level)/2 + 1e-9)
	if !c.hasEnoughCases(q) || !isLevel(level) || k < 1 {
		return Estimate{}, false
	}
	a, b := resample(c.a, q), resample(c.b, q)
	replicates := make([]float64, len(a.replicates))
	for i := range replicates {
		replicates[i] = of(a.replicates[i], b.replicates[i])
	}
	if slices.ContainsFunc(append(replicates, of(a.value, b.value)), isNotFinite) {
		return Estimate{}, false
	}
	slices.Sort(replicates)
	return Estimate{Value: of(a.value, b.value), Lo: replicates[k-1], Hi: replicates[len(replicates)-k]}, true
}

func isNotFinite(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }

func (c *PairedQuantiles) hasEnoughCases(q float64) bool {
	if !isLevel(q) || len(c.a) > maxMatched || len(c.b) > maxMatched {
		return false
	}
	n := float64(c.n)
	return c.n >= minCases && n*min(q, 1-q) >= minCasesBeyond-1e-9
}

// resampledQuantile has a quantile of the observed values and of each bootstrap resample.
type resampledQuantile struct {
	value      int64
	replicates []int64
}

// resample computes the q-quantile of the values and of each bootstrap resample. It draws the
// weights of a case twice instead of storing them.
func resample(values []keyedValue, q float64) resampledQuantile {
	slices.SortFunc(values, func(a,
		b keyedValue) int {
		return cmp.Or(cmp.Compare(a.value, b.value), cmp.Compare(a.key, b.key))
	})
	weights, quantiles := make([]uint8, contrastReplicates), newWeightedQuantiles(contrastReplicates, q)
	for _, v := range values {
		drawWeights(weights, contrastSeed, v.key)
		quantiles.addWeights(weights)
	}
	quantiles.rank()
	for _, v := range values {
		drawWeights(weights, contrastSeed, v.key)
		quantiles.addValue(v.value, weights)
	}
	return resampledQuantile{value: values[rankOf(q, int64(len(values)))-1].value, replicates: quantiles.values}
}

// weightedQuantiles computes the quantiles of many resamples at once. Each is the smallest value
// with at least the share q of the weight at or below it.
type weightedQuantiles struct {
	q      float64
	left   []int64 // total weight; after rank: the weight left up to the quantile
	values []int64
}

func newWeightedQuantiles(replicates int, q float64) *weightedQuantiles {
	return &weightedQuantiles{q: q, left: make([]int64, replicates), values: make([]int64, replicates)}
}

func (w *weightedQuantiles) addWeights(weights []uint8) {
	for i, weight := range weights {
		w.left[i] += int64(weight)
	}
}

func (w *weightedQuantiles) rank() {
	for i, total := range w.left {
		w.left[i] = rankOf(w.q, total)
	}
}

// addValue records value as the quantile of each resample that has not reached its rank. Call it
// with ascending values.
func (w *weightedQuantiles) addValue(value int64, weights []uint8) {
	for i, weight := range weights {
		if w.left[i] > 0 {
			w.values[i] = value
			w.left[i] -= int64(weight)
		}
	}
}

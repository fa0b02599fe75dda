package compare

import (
	"hash/fnv"
	"math"

	"evalctl/eval"
	"evalctl/eval/stats"
)

// Names of the metrics for which a [eval.Difference] contains the ratio of two variants.
const (
	CostRatioKey = "cost.total_usd"
	P50RatioKey  = "latency.p50"
	P95RatioKey  = "latency.p95"
)

// ratios computes cost and latency of B divided by those of A, over the cases that both answered.
type ratios struct {
	cost    stats.MeanRatio
	unknown bool // the cost of some case is unknown, so there is no cost ratio
	latency stats.PairedQuantiles
}

func (r *ratios) add(a, b []eval.Result) {
	if len(a) == 0 || len(b) == 0 {
		return
	}
	was, knownA := meanCost(a)
	is, knownB := meanCost(b)
	if was != nil && is != nil {
		r.cost.Add(*was, *is)
	}
	r.unknown = r.unknown || !knownA || !knownB
	r.latency.Add(caseKey(a[0].Case), answerTimes(a), answerTimes(b))
}

// contrasts returns the cost and latency ratios with their intervals, by metric name. It omits a
// ratio if costs are unknown or there are too few cases.
func (r *ratios) contrasts() map[string]eval.Contrast {
	found := map[string]eval.Contrast{}
	if _, ok := r.cost.Value(); ok && !r.unknown {
		found[CostRatioKey] = contrast(&r.cost, r.cost.N())
	}
	for name, q := range map[string]float64{P50RatioKey: 0.5, P95RatioKey: 0.95} {
		if span, ok := r.latency.Ratio(q, level); ok {
			found[name] = eval.Contrast{
				Value: &span.Value,
				Lo:    &span.Lo,
				Hi:    &span.Hi,
				N:     r.latency.N(),
			}
		}
	}
	return found
}

// addTimes adds the latency ratios that are not in to, without an interval. It adds none if a turn
// lacks its latency, because the remaining turns are not a random sample.
func (r *ratios) addTimes(to map[string]eval.Contrast, a, b func(metric string) eval.Estimate) {
	for _, name := range []string{P50RatioKey, P95RatioKey} {
		was, is := a(name), b(name)
		if _, known := to[name]; known || was.Missing+is.Missing > 0 || was.Value == nil || is.Value == nil ||
			*was.Value <= 0 {
			continue
		}
		to[name] = eval.Contrast{Value: new(*is.Value / *was.Value), N: r.latency.N()}
	}
}

// answerTimes returns the latencies of the answered turns in nanoseconds, without error replies.
func answerTimes(rows []eval.Result) (times []int64) {
	for _, r := range rows {
		for _, t := range r.Turns {
			if t.HasLatency() {
				times = append(times, int64(t.Duration))
			}
		}
	}
	return times
}

// turnsWithoutTime counts the turns that lack a latency although they should have one.
func turnsWithoutTime(rows []eval.Result) (n int64) {
	for _, r := range rows {
		for _, t := range r.Turns {
			if t.IsLatencyMissing() {
				n++
			}
		}
	}
	return n
}

// meanCost returns the mean cost of a case in US dollars, over the epochs that did not fail without
// usage; nil: there are none. known is false if the cost of one of them is unknown. It sums integers
// (billionths of a dollar), so the order of the epochs has no effect.
func meanCost(rows []eval.Result) (usd *float64, known bool) {
	var nanos, n int64
	for _, r := range rows {
		if r.LacksUsage() {
			continue
		}
		if r.Cost == nil {
			return nil, false
		}
		nanos += int64(math.Round(*r.Cost * 1e9))
		n++
	}
	if n == 0 {
		return nil, true
	}
	return new(float64(nanos) / float64(n) / 1e9), true
}

func caseKey(id string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(id))
	return h.Sum64()
}

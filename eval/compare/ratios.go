package compare

import (
	"hash/fnv"
	"math"

	"evalctl/eval"
	"evalctl/eval/stats"
)

// The ratios of a difference, by metric name.
const (
	CostRatio = "cost.total_usd"
	P50Ratio  = "latency.p50"
	P95Ratio  = "latency.p95"
)

// ratios has the cost and latency of B divided by those of A, over the cases that both answered.
type ratios struct {
	cost    stats.MeanRatio
	unknown bool // the cost of a case is unknown
	latency stats.QuantileContrast
}

func (r *ratios) add(a, b []eval.Result) {
	if len(a) == 0 || len(b) == 0 {
		return
	}
	was, okA := meanCost(a)
	is, okB := meanCost(b)
	r.cost.Add(was, is)
	r.unknown = r.unknown || !okA || !okB
	r.latency.Add(caseKey(a[0].Case), answerTimes(a), answerTimes(b))
}

// contrasts returns the ratios that can be computed.
func (r *ratios) contrasts() map[string]eval.Contrast {
	found := map[string]eval.Contrast{}
	if _, ok := r.cost.Value(); ok && !r.unknown {
		found[CostRatio] = contrast(&r.cost, r.cost.N())
	}
	for name, q := range map[string]float64{P50Ratio: 0.5, P95Ratio: 0.95} {
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

// addTimes adds ratios of times without an interval, if there are too many or too few cases for
// one. It adds none if a turn has no time, because the others are not a random sample.
func (r *ratios) addTimes(to map[string]eval.Contrast, a, b func(metric string) eval.Estimate) {
	for _, name := range []string{P50Ratio, P95Ratio} {
		was, is := a(name), b(name)
		if _, known := to[name]; known || was.Missing+is.Missing > 0 || was.Value == nil || is.Value == nil ||
			*was.Value <= 0 {
			continue
		}
		to[name] = eval.Contrast{Value: new(*is.Value / *was.Value), N: r.latency.N()}
	}
}

// answerTimes returns the times of the answered turns, without error replies.
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

// turnsWithoutTime counts the turns without a time because a call failed.
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

// meanCost returns the mean cost of a case's epochs in US dollars; false if an epoch has no price.
// It sums billionths, so the order of epochs does not matter.
func meanCost(rows []eval.Result) (usd float64, ok bool) {
	nanos := int64(0)
	for _, r := range rows {
		if r.Cost == nil {
			return 0, false
		}
		nanos += int64(math.Round(*r.Cost * 1e9))
	}
	return float64(nanos) / float64(len(rows)) / 1e9, true
}

func caseKey(id string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(id))
	return h.Sum64()
}

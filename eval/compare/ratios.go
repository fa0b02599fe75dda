package compare

import (
	"hash/fnv"
	"math"

	"evalctl/eval"
	"evalctl/eval/stats"
)

// The ratios of a difference, by their metrics' names.
const (
	CostRatio = "cost.total_usd"
	P50Ratio  = "latency.p50"
	P95Ratio  = "latency.p95"
)

// ratios hold what B costs, and how long its turns take, against A, over the
// cases that both answered.
type ratios struct {
	cost    stats.MeanRatio
	unknown bool // what some case costs
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
	r.latency.Add(caseKey(a[0].Case), answered(a), answered(b))
}

// contrasts has those that can be told with what is kept.
func (r *ratios) contrasts() map[string]eval.Contrast {
	found := map[string]eval.Contrast{}
	if _, ok := r.cost.Value(); ok && !r.unknown {
		found[CostRatio] = contrast(&r.cost, r.cost.N())
	}
	for name, q := range map[string]float64{P50Ratio: 0.5, P95Ratio: 0.95} {
		if span, ok := r.latency.Ratio(q, level); ok {
			found[name] = eval.Contrast{Value: &span.Value, Lo: &span.Lo, Hi: &span.Hi, N: r.latency.N()}
		}
	}
	return found
}

// addTimes adds ratios of times without an interval, where there are too many or
// too few cases for one. There is none where a turn has no time: the others are no
// sample of all.
func (r *ratios) addTimes(to map[string]eval.Contrast, a, b func(metric string) eval.Estimate) {
	for _, name := range []string{P50Ratio, P95Ratio} {
		was, is := a(name), b(name)
		if _, known := to[name]; known || was.Missing+is.Missing > 0 || was.Value == nil || is.Value == nil || *was.Value <= 0 {
			continue
		}
		to[name] = eval.Contrast{Value: new(*is.Value / *was.Value), N: r.latency.N()}
	}
}

// answered are the times of the turns that have an answer which is no apology.
func answered(rows []eval.Result) (times []int64) {
	for _, r := range rows {
		for _, t := range r.Turns {
			if t.HasLatency() {
				times = append(times, int64(t.Duration))
			}
		}
	}
	return times
}

// lostTurns counts turns that have no time of an answer: a call failed.
func lostTurns(rows []eval.Result) (n int64) {
	for _, r := range rows {
		for _, t := range r.Turns {
			if t.IsLatencyMissing() {
				n++
			}
		}
	}
	return n
}

// meanCost is of a case's epochs, in US dollars; false where one has no price.
// Added up are billionths, so that the order of epochs does not matter.
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

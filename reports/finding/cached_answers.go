package finding

import (
	"math"

	"evalctl/eval/metric"
)

// cachedAnswers returns the finding that some calls were answered from the response cache, so that
// their turns have no latency.
func cachedAnswers(s suite) *Sentence {
	var cached, calls int64
	for _, c := range s.Conditions {
		if e := c.Metrics["cached.rate"]; metric.IsKnown(e.Value) {
			cached += int64(math.Round(*e.Value * float64(e.N)))
		}
		if e := c.Metrics["calls.mean"]; metric.IsKnown(e.Value) {
			calls += int64(math.Round(*e.Value * float64(e.N)))
		}
	}
	if cached == 0 {
		return nil
	}
	out := &Sentence{Kind: KindCachedAnswers}
	out.add(metric.FormatInteger(cached) + " of " + metric.Plural(calls, "call") +
		" were answered from the response cache; their turns have no latency")
	return out
}

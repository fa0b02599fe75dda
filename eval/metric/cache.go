package metric

import (
	"math"

	"evalctl/eval"
)

// cache tells what a cache is worth: cache.hit_rate is how many look-ups found what they
// looked for, where one that failed found nothing, cache.calls_saved how many of them
// there are a trial, of all trials, each of which would have been a call, and cache.errors
// how many look-ups and stores failed. Nothing is told of a suite in which nothing was
// ever looked up.
type cache struct {
	told   *bool // something was looked up in the suite
	hits   share
	saved  mean
	errors bigSum
}

func (m *cache) Add(trials []eval.Result) {
	for _, r := range trials {
		m.hits.k, m.hits.m = m.hits.k+r.Cache.Hits, m.hits.m+r.Cache.Hits+r.Cache.Misses
		m.saved.add(float64(r.Cache.Hits))
		m.errors.add(r.Cache.Errors)
		*m.told = *m.told || r.Cache != eval.CacheStats{}
	}
	endCase(&m.hits, &m.saved)
}

func (m *cache) Close(into *eval.ConditionSummary) {
	if !*m.told {
		return
	}
	into.Metrics["cache.hit_rate"], into.Metrics["cache.calls_saved"] = m.hits.estimate(), bounded(m.saved.estimate(), 0, math.Inf(1))
	into.Metrics["cache.errors"] = count(m.errors.float(), into.Trials)
}

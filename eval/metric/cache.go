package metric

import (
	"evalctl/eval"
)

// cache measures how often an agent's own caches hit.
//
// - cache.hit_rate: share of lookups that hit; a failed lookup is a miss.
// - cache.calls_saved: mean hits of a trial, over all trials. Each hit saves a call.
// - cache.errors: number of lookups and writes that failed.
//
// A suite in which no cache was used has none of these metrics.
type cache struct {
	suiteUsesCache *bool // shared by all conditions: some trial of the suite used a cache
	hits           share
	callsSaved     mean
	errors         bigSum
}

func (m *cache) Add(trials []eval.Result) {
	for _, r := range trials {
		m.hits.k, m.hits.m = m.hits.k+r.Cache.Hits, m.hits.m+r.Cache.Hits+r.Cache.Misses
		m.callsSaved.add(float64(r.Cache.Hits))
		m.errors.add(r.Cache.Errors)
		*m.suiteUsesCache = *m.suiteUsesCache || r.Cache != eval.CacheStats{}
	}
	endCase(&m.hits, &m.callsSaved)
}

func (m *cache) Close(into *eval.ConditionSummary) {
	if !*m.suiteUsesCache {
		return
	}
	into.Metrics["cache.hit_rate"], into.Metrics["cache.calls_saved"] = m.hits.estimate(),
		atLeast(0, m.callsSaved.estimate())
	into.Metrics["cache.errors"] = count(m.errors.float(), into.Trials)
}

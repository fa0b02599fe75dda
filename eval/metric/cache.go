package metric

import (
	"math"

	"evalctl/eval"
)

// cache tells what a cache is worth: cache.hit_rate is how many look-ups found what they
// looked for, where one that failed found nothing, cache.calls_saved how many of them
// there are a trial, of all trials, each of which would have been a call, and cache.errors
// how many look-ups and stores failed. Nothing is told of a suite in which no look-up was
// ever in vain: its system tells of hits alone.
type cache struct {
	told   *bool // some look-up of the suite was in vain
	hits   share
	saved  mean
	errors whole
}

func (m *cache) Add(trials []eval.Result) {
	for _, r := range trials {
		m.hits.k, m.hits.m = m.hits.k+r.Cache.Hits, m.hits.m+r.Cache.Hits+r.Cache.Misses
		m.saved.add(float64(r.Cache.Hits))
		m.errors.add(r.Cache.Errors)
		*m.told = *m.told || r.Cache.Misses > 0 || r.Cache.Errors > 0
	}
	endCase(&m.hits, &m.saved)
}

func (m *cache) Close(into *eval.CellSummary) {
	if !*m.told {
		return
	}
	into.Metrics["cache.hit_rate"], into.Metrics["cache.calls_saved"] = m.hits.estimate(), bounded(m.saved.estimate(), 0, math.Inf(1))
	into.Metrics["cache.errors"] = count(m.errors.float(), into.Trials)
}

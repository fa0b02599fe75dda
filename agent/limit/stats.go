package limit

import (
	"cmp"
	"slices"
)

// RateLimitStats counts an endpoint's requests that a rate limit refused and that were retried.
type RateLimitStats struct {
	Provider, Host string
	Requests       int64   // sent requests, including retries
	RateLimited    int64   // requests refused by a rate limit
	Rate           float64 // estimated limit in requests per second; 0: unknown
}

// Stats returns the statistics of the endpoints with refused requests, sorted by host.
func (l *Limiter) Stats() (list []RateLimitStats) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for of, e := range l.all {
		e.mu.Lock()
		if e.throttled > 0 {
			list = append(list, RateLimitStats{
				Provider:    of.provider,
				Host:        of.host,
				Requests:    e.requestCount,
				RateLimited: e.throttled,
				Rate:        e.pace.rate,
			})
		}
		e.mu.Unlock()
	}
	slices.SortFunc(list, func(a, b RateLimitStats) int {
		return cmp.Or(cmp.Compare(a.Host, b.Host), cmp.Compare(a.Provider, b.Provider),
			cmp.Compare(a.Requests, b.Requests))
	})
	return list
}

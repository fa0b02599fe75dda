package limit

import (
	"cmp"
	"slices"
)

// Stats is what an endpoint refused for want of room, and was asked again.
type RateLimitStats struct {
	Provider, Host string
	Requests       int64   // that went out
	RateLimited    int64   // of these
	Rate           float64 // requests a second, as far as it was found; 0: it was not
}

// Stats are those that refused some, by their addresses.
func (l *RateLimits) Stats() (list []RateLimitStats) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for of, e := range l.all {
		e.mu.Lock()
		if e.throttled > 0 {
			list = append(list, RateLimitStats{Provider: of.provider, Host: of.host, Requests: e.asked, RateLimited: e.throttled, Rate: e.pace.rate})
		}
		e.mu.Unlock()
	}
	slices.SortFunc(list, func(a, b RateLimitStats) int {
		return cmp.Or(cmp.Compare(a.Host, b.Host), cmp.Compare(a.Provider, b.Provider), cmp.Compare(a.Requests, b.Requests))
	})
	return list
}

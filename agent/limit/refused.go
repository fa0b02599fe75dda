package limit

import (
	"cmp"
	"slices"
)

// Refused is what an endpoint refused for want of room, and was asked again.
type Refused struct {
	Provider, Host string
	Requests       int64   // that went out
	Refused        int64   // of these
	Rate           float64 // requests a second, as far as it was found; 0: it was not
}

// Refused are those that refused some, by their addresses.
func (l *Limits) Refused() (list []Refused) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for of, e := range l.all {
		e.mu.Lock()
		if e.turned > 0 {
			list = append(list, Refused{Provider: of.provider, Host: of.host, Requests: e.asked, Refused: e.turned, Rate: e.pace.rate})
		}
		e.mu.Unlock()
	}
	slices.SortFunc(list, func(a, b Refused) int {
		return cmp.Or(cmp.Compare(a.Host, b.Host), cmp.Compare(a.Provider, b.Provider), cmp.Compare(a.Requests, b.Requests))
	})
	return list
}

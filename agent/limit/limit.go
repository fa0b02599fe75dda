// Package limit keeps calls within what a provider permits: requests and tokens a minute
// where they are known, and else what it is seen to bear. What it refuses because there
// are too many waits here, and is sent again, without its agent noticing.
package limit

import (
	"net/http"
	"sync"
	"time"

	"evalctl/agent/llm"
)

// Bounds of what is absorbed.
const (
	MaxWait               = 10 * time.Minute // of a call, from its first refusal; then the refusal stands
	MaxWaitWithoutSuccess = 2 * time.Minute  // of an endpoint that refuses everything: all its calls fail then
	idle                  = time.Minute      // without a call, after which that time begins anew
	firstWait             = time.Second      // where the provider does not say how long; doubled each time
	longestWait           = time.Minute
	maxRefusal            = 64 << 10 // bytes of its body that are looked at
)

// Config says what is known of the limits; the zero value knows nothing.
type Config struct {
	Requests, Tokens Rates // a minute
	Notices          bool  // calls that wait emit a trace.KindNotice, for a user who waits for the answer
}

// Rates are those of all endpoints, but for the providers and hosts that have their own; 0:
// unknown.
type Rates struct {
	Default    float64
	ByEndpoint map[string]float64 // by provider or host
}

func (r Rates) of(provider, host string) float64 {
	if n, ok := r.ByEndpoint[host]; ok {
		return n
	}
	if n, ok := r.ByEndpoint[provider]; ok {
		return n
	}
	return r.Default
}

// RateLimits are those of all endpoints of a run. It is safe for concurrent use.
type RateLimits struct {
	cfg    Config
	budget budget

	mu    sync.Mutex
	all   map[id]*endpoint
	watch func(State) // nil: nobody watches
}

// id is who is limited: a key of a provider, at an address.
type id struct{ provider, host, key string }

// New makes the limits of a run.
func New(cfg Config) *RateLimits { return &RateLimits{cfg: cfg, all: map[id]*endpoint{}} }

// Transport is the way to an endpoint, within its limits. key tells accounts apart, and may
// be the name of one.
func (l *RateLimits) Transport(provider llm.Provider, host, key string, next http.RoundTripper) http.RoundTripper {
	return transport{next: next, provider: provider, endpoint: l.endpoint(id{provider: provider.Name, host: host, key: key}), budget: &l.budget, notices: l.cfg.Notices}
}

func (l *RateLimits) endpoint(of id) *endpoint {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.all[of] == nil {
		l.all[of] = newEndpoint(of, l.cfg.Requests.of(of.provider, of.host), l.cfg.Tokens.of(of.provider, of.host))
		l.all[of].watch = l.watch
	}
	return l.all[of]
}

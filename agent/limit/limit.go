// Package limit keeps calls within the rate limits of providers: configured requests and tokens per
// minute, or limits that it estimates from refusals. Rate-limited requests wait here and are sent
// again, invisible to the agent.
package limit

import (
	"net/http"
	"sync"
	"time"

	"evalctl/agent/llm"
)

// Limits of the waits for a rate-limited endpoint.
const (
	MaxWait               = 10 * time.Minute // of a call, from its first refusal; then the refusal is returned
	MaxWaitWithoutSuccess = 2 * time.Minute  // of an endpoint that refuses every request; then all its calls fail
	idle                  = time.Minute      // without a call; then MaxWaitWithoutSuccess starts again
	firstWait             = time.Second      // without Retry-After; doubled after each refusal
	longestWait           = time.Minute
	maxRefusal            = 64 << 10 // bytes of a refusal's body that are read
)

// Config sets known limits. The zero value has none.
type Config struct {
	Requests, Tokens Rates // per minute
	Notices          bool  // waiting calls emit a trace.KindNotice for the user
}

// Rates is a rate for all endpoints, with exceptions for providers and hosts; 0: unknown.
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

// RateLimits holds the limits of all endpoints of a run. It is safe for concurrent use.
type RateLimits struct {
	cfg    Config
	budget budget

	mu    sync.Mutex
	all   map[id]*endpoint
	watch func(State) // nil: no watcher
}

// id identifies a limited account: a provider's key at an address.
type id struct{ provider, host, key string }

// New returns the limits of a run.
func New(cfg Config) *RateLimits { return &RateLimits{cfg: cfg, all: map[id]*endpoint{}} }

// Transport returns a transport to an endpoint that respects its limits. key distinguishes
// accounts; it may be the name of a key.
func (l *RateLimits) Transport(provider llm.Provider, host, key string, next http.RoundTripper) http.RoundTripper {
	return transport{
		next:     next,
		provider: provider,
		endpoint: l.endpoint(id{provider: provider.Name, host: host, key: key}),
		budget:   &l.budget,
		notices:  l.cfg.Notices,
	}
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

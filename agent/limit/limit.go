// Package limit prevents evalctl from exceeding the rate limits of providers. Limits are configured
// in requests and tokens per minute, or estimated from refusals. A rate-limited request waits here
// and is sent again, without the agent noticing.
package limit

import (
	"net/http"
	"sync"
	"time"

	"evalctl/agent/llm"
)

// Limits on the waiting time after refusals by a rate limit.
const (
	MaxWait               = 10 * time.Minute // for one call, from its first refusal; then the refusal is returned
	MaxWaitWithoutSuccess = 2 * time.Minute  // for an endpoint that refuses every request; then all its calls fail
	// time without a call, after which the two minutes of MaxWaitWithoutSuccess start again
	idleReset       = time.Minute
	firstBackoff    = time.Second // first delay without Retry-After; doubled after each refusal
	maxBackoff      = time.Minute
	maxRefusalBytes = 64 << 10 // bytes of a refusal's body that are read
)

// Config contains the known rate limits. The zero value contains none.
type Config struct {
	Requests, Tokens Rates // limits per minute
	Notices          bool  // waiting calls emit a trace.KindNotice event for the user
}

// Rates is a rate limit for all endpoints, with exceptions for some; 0: unknown.
type Rates struct {
	Default    float64            // for all other endpoints
	ByEndpoint map[string]float64 // key: provider name or host
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

// Limiter applies the rate limits of all endpoints in a run. It is safe for concurrent use.
type Limiter struct {
	cfg    Config
	budget budget

	mu    sync.Mutex
	all   map[id]*endpoint
	watch func(EndpointState) // receives changes of the state of endpoints; nil: no receiver
}

// id identifies the account to which rate limits apply: a provider's API key at an address.
type id struct{ provider, host, key string }

// New creates the rate limits of a run.
func New(cfg Config) *Limiter { return &Limiter{cfg: cfg, all: map[id]*endpoint{}} }

// Transport returns a transport that respects the rate limits of an endpoint. Transports with the
// same provider, host and key share the limits. key may be the name of an API key instead of its
// value.
func (l *Limiter) Transport(provider llm.Provider, host, key string, next http.RoundTripper) http.RoundTripper {
	return transport{
		next:     next,
		provider: provider,
		endpoint: l.endpoint(id{provider: provider.Name, host: host, key: key}),
		budget:   &l.budget,
		notices:  l.cfg.Notices,
	}
}

func (l *Limiter) endpoint(of id) *endpoint {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.all[of] == nil {
		l.all[of] = newEndpoint(of, l.cfg.Requests.of(of.provider, of.host), l.cfg.Tokens.of(of.provider, of.host))
		l.all[of].watch = l.watch
	}
	return l.all[of]
}

package llm

import (
	"context"
	"math"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"

	"github.com/cenkalti/backoff/v5"

	"evalctl/agent/clock"
)

// MaxRetryAfter is the longest Retry-After delay that a call waits. If a provider requests a longer
// one, the call fails without a retry.
const MaxRetryAfter = 30 * time.Second

const (
	firstWait = 500 * time.Millisecond
	jitter    = 0.25
)

// next decides whether another attempt follows the n-th attempt, and how long to wait before it.
func (p CallPolicy) next(failed *Error, n int) (time.Duration, bool) {
	retries := p.Retries
	if retries == 0 {
		retries = DefaultRetries
	}
	if n > retries || !failed.IsRetryable() || failed.RetryAfter > MaxRetryAfter {
		return 0, false
	}
	if failed.RetryAfter > 0 {
		return failed.RetryAfter, true
	}
	return p.wait(n), true
}

// wait returns the back-off after the n-th attempt. It depends only on the seed and n, so a run is
// reproducible even if its trials run in parallel.
func (p CallPolicy) wait(n int) time.Duration {
	steps := backoff.ExponentialBackOff{InitialInterval: firstWait, Multiplier: 2, MaxInterval: MaxRetryAfter}
	var d time.Duration
	for range n {
		d = steps.NextBackOff()
	}
	r := rand.New(rand.NewPCG(p.Seed, uint64(n)))
	return time.Duration(float64(d) * (1 - jitter + 2*jitter*r.Float64()))
}

// salt returns an FNV-1a hash of the end of a request's text, to be mixed into the jitter seed. It
// gives parallel calls of one client different waits, so that they do not retry simultaneously.
func salt(text string) uint64 {
	h := uint64(14695981039346656037)
	for i := max(0, len(text)-64); i < len(text); i++ {
		h = (h ^ uint64(text[i])) * 1099511628211
	}
	return h
}

// retryAfter returns the delay in the Retry-After header of a response; 0 if there is none.
func retryAfter(ctx context.Context, h http.Header) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms > 0 && ms < 1e9 {
		return time.Duration(ms * float64(time.Millisecond))
	}
	v := h.Get("Retry-After")
	if v == "" {
		return 0
	}
	if s, err := strconv.ParseFloat(v, 64); err == nil && !math.IsNaN(s) {
		return time.Duration(min(max(s, 0), 1e6) * float64(time.Second))
	}
	at, err := http.ParseTime(v)
	if err != nil {
		return 0
	}
	return max(0, at.Sub(clock.WallNow(ctx)))
}

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

// MaxRetryAfter is the longest Retry-After that is accepted. If a provider requests more, there is
// no retry.
const MaxRetryAfter = 30 * time.Second

const (
	firstWait = 500 * time.Millisecond
	jitter    = 0.25
)

// next decides whether another attempt follows the n-th, and after which wait.
func (p Policy) next(failed *Error, n int) (time.Duration, bool) {
	retries := p.Retries
	if retries == 0 {
		retries = DefaultRetries
	}
	if n > retries || !failed.Retryable() || failed.RetryAfter > MaxRetryAfter {
		return 0, false
	}
	if failed.RetryAfter > 0 {
		return failed.RetryAfter, true
	}
	return p.wait(n), true
}

// wait returns the back-off after the n-th attempt. It depends only on the seed and n, so parallel
// trials do not affect it.
func (p Policy) wait(n int) time.Duration {
	steps := backoff.ExponentialBackOff{InitialInterval: firstWait, Multiplier: 2, MaxInterval: MaxRetryAfter}
	var d time.Duration
	for range n {
		d = steps.NextBackOff()
	}
	r := rand.New(rand.NewPCG(p.Seed, uint64(n)))
	return time.Duration(float64(d) * (1 - jitter + 2*jitter*r.Float64()))
}

// salt gives parallel calls of one client different jitter, so that they do not all retry at the
// same instant. It is FNV-1a over the end of the text.
func salt(text string) uint64 {
	h := uint64(14695981039346656037)
	for i := max(0, len(text)-64); i < len(text); i++ {
		h = (h ^ uint64(text[i])) * 1099511628211
	}
	return h
}

// retryAfter returns the delay that a response requests; 0: none.
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

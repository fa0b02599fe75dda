package limit

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"evalctl/agent/clock"
	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// Constants of the limits on one endpoint.
const (
	maxConsecutiveRefusals = 8                // in a row; then all requests pause
	period                 = 10 * time.Second // period for which the window remembers its highest concurrency
	// a request that is late by up to this time does not delay the next one
	timerTolerance = 2 * time.Millisecond
)

// endpoint limits the requests to one endpoint. Calls that must wait are sent in order of arrival.
type endpoint struct {
	requests, tokens *rate.Limiter // configured limits; nil: none

	mu              sync.Mutex
	window          window
	pace            rateEstimate
	next            time.Time // earliest time of the next request at the estimated rate
	notBefore       time.Time // all requests pause until this time
	refused         int       // refusals in a row
	refusedSince    time.Time // first refusal since the last answer; zero: none
	reported        bool      // watch was called since refusedSince
	reportedFailure bool      // watch was called after MaxWaitWithoutSuccess
	calls           int       // calls in progress, including waiting ones
	lastEnd         time.Time // end of the last call
	requestCount    int64     // sent requests
	throttled       int64     // refused requests
	inProgress      int
	rng             *rand.Rand // for random deviations of the back-off
	decayed         time.Time
	waiting         []*waiter
	stop            func() bool // timer for the first waiting call; nil: not running

	id         id
	watch      func(EndpointState) // receives changes of the state; nil: no receiver
	stopWatch  func() bool         // timer for the next call of watch; nil: not running
	watchRound int                 // number of the current timer, to recognize an outdated one
}

// waiter is a call that waits for permission to send.
type waiter struct {
	ctx    context.Context
	tokens int
	turn   *clock.Chan[ticket]
}

// ticket is the permission to send one request, with the values at that time.
type ticket struct {
	concurrent int   // requests in progress, including this one
	cuts       int64 // window.cuts
	tokens     int   // estimated tokens of the request

	refused bool // no permission: the endpoint has refused every request for too long
}

// newEndpoint creates an endpoint with limits on requests and tokens per minute; 0: unknown.
func newEndpoint(of id, requests, tokens float64) *endpoint {
	e := &endpoint{id: of, rng: rand.New(rand.NewPCG(1, 1))}
	if requests > 0 {
		e.requests = rate.NewLimiter(rate.Limit(requests/60), max(1, int(requests/600)))
	}
	if tokens > 0 {
		e.tokens = rate.NewLimiter(rate.Limit(tokens/60), max(1, int(tokens/20)))
	}
	return e
}

// enter waits until a request may be sent. The timeouts of ctx are paused meanwhile.
func (e *endpoint) enter(ctx context.Context, tokens int) (ticket, error) {
	if err := ctx.Err(); err != nil {
		return ticket{}, err
	}
	if e.tokens != nil {
		tokens = min(tokens, e.perMinute())
	}
	e.mu.Lock()
	if len(e.waiting) == 0 && e.delay(clock.WallNow(ctx), tokens) == 0 {
		defer e.mu.Unlock()
		return e.send(clock.WallNow(ctx), tokens), nil
	}
	if err := e.refusedErrorLocked(clock.WallNow(ctx)); err != nil {
		e.mu.Unlock()
		return ticket{}, err
	}
	w := &waiter{ctx: clock.WithoutCancel(ctx), tokens: tokens,
		turn: clock.NewChan[ticket](ctx, "the endpoint's limits", 1)}
	e.waiting = append(e.waiting, w)
	e.serve(ctx)
	e.mu.Unlock()
	leave := trace.BeginQueueWait(ctx)
	t, _, err := w.turn.Recv(ctx)
	leave()
	switch {
	case err == nil && t.refused:
		return ticket{}, cmp.Or[error](e.refusedError(clock.WallNow(ctx)),
			llm.NewCircuitOpenError(e.id.provider, "rate-limited"))
	case err == nil:
		return t, nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if i := slices.Index(e.waiting, w); i >= 0 {
		e.waiting = slices.Delete(e.waiting, i, i+1)
	} else if late, ok, _ := w.turn.Recv(ctx); ok && !late.refused {
		e.inProgress-- // send has already counted this request, but the caller no longer sends it
	}
	e.serve(ctx)
	return ticket{}, err
}

// send records that a request is sent now and returns its ticket.
func (e *endpoint) send(now time.Time, tokens int) ticket {
	e.inProgress++
	e.requestCount++
	if e.pace.rate > 0 {
		step := time.Duration(float64(time.Second) / e.pace.rate)
		e.next = later(e.next, now.Add(-timerTolerance)).Add(step)
	}
	if e.requests != nil {
		e.requests.ReserveN(now, 1)
	}
	e.reserve(now, tokens)
	return ticket{concurrent: e.inProgress, cuts: e.window.cuts, tokens: tokens}
}

// delay returns how long the first waiting call must wait; below 0: until another request ends.
func (e *endpoint) delay(now time.Time, tokens int) time.Duration {
	if now.Sub(e.decayed) > period {
		e.decayed = now
		e.window.nextPeriod()
	}
	if !e.window.allows(e.inProgress) {
		return -1
	}
	wait := max(e.notBefore.Sub(now), 0)
	if e.pace.rate > 0 {
		if d := e.next.Sub(now); d > 0 {
			e.pace.limited = true
			wait = max(wait, d)
		}
	}
	wait = max(wait, delayUntil(e.requests, now, 1))
	if e.tokens != nil {
		wait = max(wait, delayUntil(e.tokens, now, min(tokens, e.tokens.Burst())))
	}
	return wait
}

// delayUntil returns the time until the limiter allows n events; nil: no limit.
func delayUntil(l *rate.Limiter, now time.Time, n int) time.Duration {
	if l == nil || n == 0 {
		return 0
	}
	r := l.ReserveN(now, n)
	defer r.CancelAt(now)
	return r.DelayFrom(now)
}

// perMinute returns the tokens per minute. One call is never charged more, so a wrong token count
// delays later calls by at most a minute.
func (e *endpoint) perMinute() int { return int(60 * e.tokens.Limit()) }

// reserve charges tokens to the limit, or returns tokens if negative. The balance may become
// negative, so that later calls wait.
func (e *endpoint) reserve(now time.Time, tokens int) {
	if e.tokens == nil {
		return
	}
	for burst := e.tokens.Burst(); tokens > burst; tokens -= burst {
		e.tokens.ReserveN(now, burst)
	}
	e.tokens.ReserveN(now, tokens)
}

// serve sends the waiting calls that may be sent now, and sets a timer for the next one.
func (e *endpoint) serve(ctx context.Context) {
	if e.stop != nil {
		e.stop()
		e.stop = nil
	}
	if len(e.waiting) > 0 {
		ctx = clock.WithoutCancel(ctx) // the waiting calls may outlive the current one
	}
	for len(e.waiting) > 0 {
		now, first := clock.WallNow(ctx), e.waiting[0]
		switch wait := e.delay(now, first.tokens); {
		case wait < 0:
			return
		case wait > 0:
			e.stop = clock.AfterFunc(ctx, wait, func() {
				e.mu.Lock()
				defer e.mu.Unlock()
				e.serve(ctx)
			})
			return
		}
		e.waiting = slices.Delete(e.waiting, 0, 1)
		_ = first.turn.Send(first.ctx, e.send(now, first.tokens)) // does not block, because the channel has room
	}
}

// recordResult records whether a request was accepted, refused by a rate limit, or neither. wait is
// the Retry-After delay of a refusal; 0: none.
func (e *endpoint) recordResult(ctx context.Context, t ticket, accepted, refused bool, wait time.Duration) {
	e.mu.Lock()
	defer e.mu.Unlock()
	now := clock.WallNow(ctx)
	switch {
	case accepted:
		e.refused = 0
		e.recordAnswer(now)
		e.window.accepted(t.concurrent)
		e.pace.record(now, false)
	case refused:
		e.throttled++
		e.recordRefusal(ctx, now)
		if e.refused++; e.refused >= maxConsecutiveRefusals && !now.Before(e.notBefore) {
			e.refused = 0
			e.notBefore = now.Add(min(max(wait, firstBackoff), maxBackoff))
			e.window.restart(e.inProgress)
		}
		if !e.window.refused(t.concurrent, t.cuts) {
			e.pace.record(now, true)
		}
	}
	e.serve(ctx)
}

// leave ends a request. tokens is the number it used; below 0: unknown.
func (e *endpoint) leave(ctx context.Context, t ticket, tokens int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.inProgress--
	if e.tokens != nil && tokens >= 0 {
		e.reserve(clock.WallNow(ctx), min(tokens, e.perMinute())-t.tokens)
	}
	e.serve(ctx)
}

// backoff returns the delay after the n-th refusal of a request without Retry-After. It grows
// exponentially, with random deviations.
func (e *endpoint) backoff(n int) time.Duration {
	e.mu.Lock()
	defer e.mu.Unlock()
	d := min(firstBackoff<<min(n-1, 6), maxBackoff)
	return time.Duration(float64(d) * (0.75 + 0.5*e.rng.Float64()))
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

package limit

import (
	"context"
	"fmt"
	"time"

	"evalctl/agent/clock"
	"evalctl/agent/llm"
)

// EndpointState describes an endpoint that refuses every request because of a rate limit, or that
// has begun to answer again.
type EndpointState struct {
	Provider, Host string
	Since          time.Time     // time of the first refusal since the last answer
	Elapsed        time.Duration // time since then
	IsRecovered    bool          // the endpoint answers again, after Elapsed
	IsCircuitOpen  bool          // MaxWaitWithoutSuccess has passed, so all calls to the endpoint fail
}

// String describes the state in one line for users.
func (s EndpointState) String() string {
	name := s.Provider + " at " + s.Host
	duration := s.Elapsed.Round(time.Second)
	switch {
	case s.IsRecovered:
		return fmt.Sprintf("%s answers again, after %v", name, duration)
	case s.IsCircuitOpen:
		return fmt.Sprintf("%s has been rate-limited since %s: no answer for %v, so its calls fail", name,
			s.Since.Format(time.TimeOnly), duration)
	}
	return fmt.Sprintf("%s has been rate-limited since %s: no answer for %v, waiting up to %v", name,
		s.Since.Format(time.TimeOnly), duration, MaxWaitWithoutSuccess)
}

// reportAfter is the time from the first refusal to the first call of watch. reportEach is the time
// between later calls.
const (
	reportAfter = 3 * time.Second
	reportEach  = 30 * time.Second
)

// Watch calls f with the state of each endpoint that refuses every request: after 3 s, every 30 s,
// after MaxWaitWithoutSuccess, and when it answers again. f must not block.
func (l *Limiter) Watch(f func(EndpointState)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.watch = f
	for _, e := range l.all {
		e.mu.Lock()
		e.watch = f
		e.mu.Unlock()
	}
}

// state returns the current state. The caller must hold the lock.
func (e *endpoint) state(now time.Time) EndpointState {
	passed := now.Sub(e.refusedSince)
	return EndpointState{
		Provider:      e.id.provider,
		Host:          e.id.host,
		Since:         e.refusedSince,
		Elapsed:       passed,
		IsCircuitOpen: passed >= MaxWaitWithoutSuccess,
	}
}

// begin records the start of a call. After a minute without calls, it forgets earlier refusals, so
// that the endpoint is tried again.
func (e *endpoint) begin(ctx context.Context) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if now := clock.WallNow(ctx); e.calls == 0 && now.Sub(e.lastEnd) >= idleReset {
		e.refusedSince = time.Time{}
	}
	e.calls++
}

func (e *endpoint) end(ctx context.Context) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.calls--
	e.lastEnd = clock.WallNow(ctx)
	if e.calls == 0 {
		e.endWatch()
	}
}

// recordRefusal records a refusal and starts the timer for watch. The caller must hold the lock.
func (e *endpoint) recordRefusal(ctx context.Context, now time.Time) {
	if e.refusedSince.IsZero() {
		e.refusedSince = now
		e.reported = false
		e.reportedFailure = false
	}
	if e.stopWatch == nil && now.Sub(e.refusedSince) < MaxWaitWithoutSuccess {
		e.scheduleReport(clock.WithoutCancel(ctx), now)
	}
}

// recordAnswer records an answer. If watch has received refusals, it now receives their end. The
// caller must hold the lock.
func (e *endpoint) recordAnswer(now time.Time) {
	e.endWatch()
	if !e.refusedSince.IsZero() && e.reported && e.watch != nil {
		s := e.state(now)
		s.IsRecovered, s.IsCircuitOpen = true, false
		e.watch(s)
	}
	e.refusedSince = time.Time{}
}

// scheduleReport sets the timer for the next call of watch. After MaxWaitWithoutSuccess the timer
// makes all waiting calls fail. The caller must hold the lock.
func (e *endpoint) scheduleReport(ctx context.Context, now time.Time) {
	passed := now.Sub(e.refusedSince)
	next := reportAfter
	if passed >= reportAfter {
		next = (passed-reportAfter)/reportEach*reportEach + reportAfter + reportEach
	}
	round := e.watchRound
	e.stopWatch = clock.AfterFunc(ctx, min(next, MaxWaitWithoutSuccess)-passed, func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		if e.watchRound != round { // the timer was stopped too late
			return
		}
		e.stopWatch = nil
		now := clock.WallNow(ctx)
		e.report(now)
		if !e.isRefusingAll(now) {
			e.scheduleReport(ctx, now)
			return
		}
		for _, w := range e.waiting {
			_ = w.turn.Send(w.ctx, ticket{refused: true}) // does not block, because the channel has room
		}
		e.waiting = nil
	})
}

// endWatch stops the timer for the next call of watch. The caller must hold the lock.
func (e *endpoint) endWatch() {
	e.watchRound++
	if e.stopWatch != nil {
		e.stopWatch()
		e.stopWatch = nil
	}
}

// report calls watch with the current state, but only once after MaxWaitWithoutSuccess. The caller
// must hold the lock.
func (e *endpoint) report(now time.Time) {
	s := e.state(now)
	if e.watch == nil || e.reportedFailure {
		return
	}
	e.reported, e.reportedFailure = true, s.IsCircuitOpen
	e.watch(s)
}

// refusedError returns an error if the endpoint has refused every request for
// MaxWaitWithoutSuccess, otherwise nil.
func (e *endpoint) refusedError(now time.Time) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.refusedErrorLocked(now)
}

func (e *endpoint) refusedErrorLocked(now time.Time) error {
	if !e.isRefusingAll(now) {
		return nil
	}
	e.report(now)
	return llm.NewCircuitOpenError(e.id.provider, e.state(now).String())
}

// isRefusingAll reports whether the endpoint has refused every request for MaxWaitWithoutSuccess.
// The caller must hold the lock.
func (e *endpoint) isRefusingAll(now time.Time) bool {
	return !e.refusedSince.IsZero() && now.Sub(e.refusedSince) >= MaxWaitWithoutSuccess
}

// remainingWait returns how long a refused call may still wait, and the state to show users.
func (e *endpoint) remainingWait(now time.Time) (time.Duration, EndpointState) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.refusedSince.IsZero() { // another request was answered in the meantime
		return MaxWaitWithoutSuccess, EndpointState{}
	}
	s := e.state(now)
	return MaxWaitWithoutSuccess - s.Elapsed, s
}

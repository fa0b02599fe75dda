package limit

import (
	"context"
	"fmt"
	"time"

	"evalctl/agent/clock"
	"evalctl/agent/llm"
)

// State is that of an endpoint which refuses every request because there are too many, or
// which has answered again.
type State struct {
	Provider, Host string
	Since          time.Time     // of the first request refused since the last answer
	For            time.Duration // how long that is ago
	Answers        bool          // it has answered again, after For
	Over           bool          // MaxWaitWithoutSuccess is over: all its calls fail
}

// String describes the state in a line.
func (s State) String() string {
	name := s.Provider + " at " + s.Host
	duration := s.For.Round(time.Second)
	switch {
	case s.Answers:
		return fmt.Sprintf("%s answers again, after %v", name, duration)
	case s.Over:
		return fmt.Sprintf("%s has been rate-limited since %s: no answer for %v, so its calls fail", name, s.Since.Format(time.TimeOnly), duration)
	}
	return fmt.Sprintf("%s has been rate-limited since %s: no answer for %v, waiting up to %v", name, s.Since.Format(time.TimeOnly), duration, MaxWaitWithoutSuccess)
}

// reportAfter is how long an endpoint refuses everything until that is reported, and
// reportEach the time between later reports.
const (
	reportAfter = 3 * time.Second
	reportEach  = 30 * time.Second
)

// Watch has f called with the state of an endpoint that refuses everything, after 3 s, each
// 30 s, at the end of MaxWaitWithoutSuccess, and when it answers again. f must not block.
func (l *RateLimits) Watch(f func(State)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.watch = f
	for _, e := range l.all {
		e.mu.Lock()
		e.watch = f
		e.mu.Unlock()
	}
}

// state is the endpoint's now; the caller holds the lock.
func (e *endpoint) state(now time.Time) State {
	passed := now.Sub(e.dry)
	return State{Provider: e.of.provider, Host: e.of.host, Since: e.dry, For: passed, Over: passed >= MaxWaitWithoutSuccess}
}

// begin counts a call that may wait.
func (e *endpoint) begin(ctx context.Context) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if now := clock.WallNow(ctx); e.calls == 0 && now.Sub(e.ended) >= idle {
		e.dry = time.Time{}
	}
	e.calls++
}

func (e *endpoint) end(ctx context.Context) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.calls--
	e.ended = clock.WallNow(ctx)
	if e.calls == 0 {
		e.endWatch()
	}
}

// refuse notes a refusal; the caller holds the lock.
func (e *endpoint) refuse(ctx context.Context, now time.Time) {
	if e.dry.IsZero() {
		e.dry, e.reported, e.over = now, false, false
	}
	if e.stopWatch == nil && now.Sub(e.dry) < MaxWaitWithoutSuccess {
		e.look(clock.Detached(ctx), now)
	}
}

// answer notes an answer; the caller holds the lock.
func (e *endpoint) answer(now time.Time) {
	e.endWatch()
	if !e.dry.IsZero() && e.reported && e.watch != nil {
		s := e.state(now)
		s.Answers, s.Over = true, false
		e.watch(s)
	}
	e.dry = time.Time{}
}

// look sets the timer of the next report, or of the end of MaxWaitWithoutSuccess, when all who wait are
// let go; the caller holds the lock.
func (e *endpoint) look(ctx context.Context, now time.Time) {
	passed := now.Sub(e.dry)
	next := reportAfter
	if passed >= reportAfter {
		next = (passed-reportAfter)/reportEach*reportEach + reportAfter + reportEach
	}
	round := e.round
	e.stopWatch = clock.AfterFunc(ctx, min(next, MaxWaitWithoutSuccess)-passed, func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		if e.round != round { // it was stopped too late
			return
		}
		e.stopWatch = nil
		now := clock.WallNow(ctx)
		e.report(now)
		if !e.isBarren(now) {
			e.look(ctx, now)
			return
		}
		for _, w := range e.waiting {
			_ = w.turn.Send(w.ctx, ticket{refused: true}) // which has room
		}
		e.waiting = nil
	})
}

// endWatch stops the timer of the next report; the caller holds the lock.
func (e *endpoint) endWatch() {
	e.round++
	if e.stopWatch != nil {
		e.stopWatch()
		e.stopWatch = nil
	}
}

// report reports the state, and once that MaxWaitWithoutSuccess is over; the caller holds the lock.
func (e *endpoint) report(now time.Time) {
	s := e.state(now)
	if e.watch == nil || e.over {
		return
	}
	e.reported, e.over = true, s.Over
	e.watch(s)
}

// barren is the error of calls once the endpoint has refused everything for MaxWaitWithoutSuccess, nil
// before.
func (e *endpoint) barren(now time.Time) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.barrenLocked(now)
}

func (e *endpoint) barrenLocked(now time.Time) error {
	if !e.isBarren(now) {
		return nil
	}
	e.report(now)
	return llm.Unanswered(e.of.provider, e.state(now).String())
}

// isBarren reports whether it is so; the caller holds the lock.
func (e *endpoint) isBarren(now time.Time) bool {
	return !e.dry.IsZero() && now.Sub(e.dry) >= MaxWaitWithoutSuccess
}

// patience is how long a refused call may still wait, and the state to show meanwhile.
func (e *endpoint) patience(now time.Time) (time.Duration, State) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.dry.IsZero() { // another was answered meanwhile
		return MaxWaitWithoutSuccess, State{}
	}
	s := e.state(now)
	return MaxWaitWithoutSuccess - s.For, s
}

package limit

import (
	"context"
	"fmt"
	"time"

	"evalctl/agent/clock"
	"evalctl/agent/llm"
)

// State describes an endpoint that rate-limits every request, or that answers again.
type State struct {
	Provider, Host string
	Since          time.Time     // time of the first refusal since the last answer
	For            time.Duration // time since then
	Answers        bool          // it answers again, after For
	Over           bool          // MaxWaitWithoutSuccess has passed: all its calls fail
}

// String describes the state in one line.
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

// reportAfter is the time from the first refusal to the first report, reportEach the time between
// later reports.
const (
	reportAfter = 3 * time.Second
	reportEach  = 30 * time.Second
)

// Watch calls f with the state of an endpoint that refuses every request: after 3 s, every 30 s,
// after MaxWaitWithoutSuccess, and when it answers again. f must not block.
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

// state returns the current state. The caller holds the lock.
func (e *endpoint) state(now time.Time) State {
	passed := now.Sub(e.dry)
	return State{Provider: e.of.provider, Host: e.of.host, Since: e.dry, For: passed, Over: passed >= MaxWaitWithoutSuccess}
}

// begin records the start of a call.
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

// refuse records a refusal. The caller holds the lock.
func (e *endpoint) refuse(ctx context.Context, now time.Time) {
	if e.dry.IsZero() {
		e.dry, e.reported, e.over = now, false, false
	}
	if e.stopWatch == nil && now.Sub(e.dry) < MaxWaitWithoutSuccess {
		e.look(clock.Detached(ctx), now)
	}
}

// answer records an answer. The caller holds the lock.
func (e *endpoint) answer(now time.Time) {
	e.endWatch()
	if !e.dry.IsZero() && e.reported && e.watch != nil {
		s := e.state(now)
		s.Answers, s.Over = true, false
		e.watch(s)
	}
	e.dry = time.Time{}
}

// look sets the timer for the next report, or for the end of MaxWaitWithoutSuccess, when all
// waiting calls fail. The caller holds the lock.
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
		if e.round != round { // stopped too late
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
			_ = w.turn.Send(w.ctx, ticket{refused: true}) // buffered, so it does not block
		}
		e.waiting = nil
	})
}

// endWatch stops the timer of the next report. The caller holds the lock.
func (e *endpoint) endWatch() {
	e.round++
	if e.stopWatch != nil {
		e.stopWatch()
		e.stopWatch = nil
	}
}

// report reports the state; the end of MaxWaitWithoutSuccess is reported once. The caller holds the
// lock.
func (e *endpoint) report(now time.Time) {
	s := e.state(now)
	if e.watch == nil || e.over {
		return
	}
	e.reported, e.over = true, s.Over
	e.watch(s)
}

// barren returns the error of calls to an endpoint that has refused every request for
// MaxWaitWithoutSuccess, otherwise nil.
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

// isBarren reports whether the endpoint has refused every request for MaxWaitWithoutSuccess. The
// caller holds the lock.
func (e *endpoint) isBarren(now time.Time) bool {
	return !e.dry.IsZero() && now.Sub(e.dry) >= MaxWaitWithoutSuccess
}

// patience returns how long a refused call may still wait, and the state to report in the meantime.
func (e *endpoint) patience(now time.Time) (time.Duration, State) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.dry.IsZero() { // another request was answered in the meantime
		return MaxWaitWithoutSuccess, State{}
	}
	s := e.state(now)
	return MaxWaitWithoutSuccess - s.For, s
}

package clock

import (
	"context"
	"time"
)

// pausable is a deadline that PauseDeadlines can pause.
type pausable interface {
	pause()
	resume()
	paused() time.Duration
	parent() context.Context
}

// pauseTimer measures how long a deadline has been paused. Overlapping pauses (holds) count once:
//
//	hold 1: |-------|....
//	hold 2: ....|-------|
//	paused: |-----------|
type pauseTimer struct {
	holds int
	since time.Time
	total time.Duration
}

// hold starts a pause and reports whether the deadline was running before.
func (s *pauseTimer) hold(now time.Time) bool {
	if s.holds++; s.holds > 1 {
		return false
	}
	s.since = now
	return true
}

// release ends a pause and reports whether the deadline runs again, because no other pause is left.
func (s *pauseTimer) release(now time.Time) bool {
	if s.holds--; s.holds > 0 {
		return false
	}
	s.total += now.Sub(s.since)
	return true
}

func (s *pauseTimer) pausedUntil(now time.Time) time.Duration {
	if s.holds > 0 {
		return s.total + now.Sub(s.since)
	}
	return s.total
}

func nearestDeadline(ctx context.Context) pausable {
	d, _ := ctx.Value(deadlineKey{}).(pausable)
	return d
}

// PauseDeadlines pauses all timeouts of ctx that WithTimeout has set, until resume is called.
// resume must be called exactly once. Use it for waits that must not count toward the timeout, such
// as a queue for a rate limit. ctx can still end for other reasons.
func PauseDeadlines(ctx context.Context) (resume func()) {
	var list []pausable
	for d := nearestDeadline(ctx); d != nil; d = nearestDeadline(d.parent()) {
		d.pause()
		list = append(list, d)
	}
	return func() {
		for _, d := range list {
			d.resume()
		}
	}
}

// PausedDuration returns how long the innermost timeout of ctx has been paused so far.
func PausedDuration(ctx context.Context) time.Duration {
	if d := nearestDeadline(ctx); d != nil {
		return d.paused()
	}
	return 0
}

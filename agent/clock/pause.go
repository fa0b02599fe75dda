package clock

import (
	"context"
	"time"
)

// pausable is a deadline that can be paused.
type pausable interface {
	pause()
	resume()
	paused() time.Duration
	parent() context.Context
}

// pauseTimer measures the paused time of a deadline. Overlapping pauses count once:
//
//	hold 1     |-------|
//	hold 2         |-------|
//	paused     |-----------|
type pauseTimer struct {
	holds int
	since time.Time
	total time.Duration
}

// hold reports whether this call starts the pause.
func (s *pauseTimer) hold(now time.Time) bool {
	if s.holds++; s.holds > 1 {
		return false
	}
	s.since = now
	return true
}

// release reports whether this call ends the pause.
func (s *pauseTimer) release(now time.Time) bool {
	if s.holds--; s.holds > 0 {
		return false
	}
	s.total += now.Sub(s.since)
	return true
}

func (s *pauseTimer) until(now time.Time) time.Duration {
	if s.holds > 0 {
		return s.total + now.Sub(s.since)
	}
	return s.total
}

func nearestDeadline(ctx context.Context) pausable {
	d, _ := ctx.Value(deadlineKey{}).(pausable)
	return d
}

// PauseDeadlines pauses all deadlines of WithTimeout above ctx until resume is called, which must
// happen exactly once. It is for waits that are not part of the limited work, such as a queue for a
// rate limit. It does not delay other reasons why ctx ends.
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

// PausedDuration returns the paused time of the nearest deadline above ctx.
func PausedDuration(ctx context.Context) time.Duration {
	if d := nearestDeadline(ctx); d != nil {
		return d.paused()
	}
	return 0
}

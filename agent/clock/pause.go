package clock

import (
	"context"
	"time"
)

// pausable is a deadline that can stand still.
type pausable interface {
	pause()
	resume()
	paused() time.Duration
	above() context.Context
}

// stand counts for how long a deadline has stood still. Who holds it while others do
// counts once.
type stand struct {
	holds int
	since time.Time
	total time.Duration
}

// hold tells whether the time stops now.
func (s *stand) hold(now time.Time) bool {
	if s.holds++; s.holds > 1 {
		return false
	}
	s.since = now
	return true
}

// release tells whether the time goes on now.
func (s *stand) release(now time.Time) bool {
	if s.holds--; s.holds > 0 {
		return false
	}
	s.total += now.Sub(s.since)
	return true
}

func (s *stand) until(now time.Time) time.Duration {
	if s.holds > 0 {
		return s.total + now.Sub(s.since)
	}
	return s.total
}

func nearest(ctx context.Context) pausable {
	d, _ := ctx.Value(deadlineKey{}).(pausable)
	return d
}

// PauseDeadlines has the deadlines of WithTimeout above ctx stand still until resume is called,
// which must happen exactly once: what waits meanwhile is no doing of those whom the
// deadlines bound. That ctx ends otherwise it does not keep back.
func PauseDeadlines(ctx context.Context) (resume func()) {
	var list []pausable
	for d := nearest(ctx); d != nil; d = nearest(d.above()) {
		d.pause()
		list = append(list, d)
	}
	return func() {
		for _, d := range list {
			d.resume()
		}
	}
}

// PausedDuration is for how long the nearest deadline above ctx has stood still.
func PausedDuration(ctx context.Context) time.Duration {
	if d := nearest(ctx); d != nil {
		return d.paused()
	}
	return 0
}

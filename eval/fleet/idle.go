package fleet

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"evalctl/agent/clock"
)

// idleWatch records since when no worker runs trials, and whether this was logged.
type idleWatch struct {
	since  time.Time // start of the time in which no worker runs trials; a future time delays the next log line
	logged bool
}

// firstIdleNotice is how long no worker may run trials before this is logged. After longIdleNotice,
// the log contains a reason and advice.
const (
	firstIdleNotice = time.Second
	longIdleNotice  = 15 * time.Second
)

func (l *coordination) logIdle(ctx context.Context, info *jetstream.ConsumerInfo) {
	now := clock.Now(ctx)
	if l.idle.since.IsZero() || info.NumAckPending > 0 {
		l.idle.since, l.idle.logged = now, l.idle.logged || info.NumAckPending > 0
	}
	switch alone := now.Sub(l.idle.since); {
	case alone >= longIdleNotice:
		l.run.Log(l.idleReason(ctx))
		l.idle = idleWatch{since: now.Add(3 * longIdleNotice), logged: true}
	case alone >= firstIdleNotice && !l.idle.logged:
		l.run.Log("waiting for workers at " + l.conn.host)
		l.idle.logged = true
	}
}

// idleReason returns a text about why no worker runs trials, if the reason is known, or what to do.
func (l *coordination) idleReason(ctx context.Context) string {
	l.reports.mu.Lock()
	defer l.reports.mu.Unlock()
	switch n := l.reports.count; {
	case l.workersRunOther(ctx):
		return "the workers are busy with another run; this one waits"
	case n == 1:
		return "no worker runs trials: 1 refused: " + l.reports.last
	case n > 1:
		return fmt.Sprintf("no worker runs trials: %d refused, the last: %s", n, l.reports.last)
	}
	return "no worker runs trials: start some with evalctl worker " + l.conn.host
}

// workersRunOther reports whether workers run trials of another run on the same broker.
func (l *coordination) workersRunOther(ctx context.Context) bool {
	ctx, cancel := clock.WithTimeout(ctx, l.conn.requestTimeout)
	defer cancel()
	ids, _ := l.conn.announcedRuns(ctx)
	for _, id := range ids {
		if id == l.id {
			continue
		}
		c, err := l.conn.js.Consumer(ctx, runStreams{id: id}.leaseStream(), workers)
		if err == nil && c.CachedInfo().NumAckPending > 0 {
			return true
		}
	}
	return false
}

// errorReports contains the number of error messages from workers, and the last one.
type errorReports struct {
	mu    sync.Mutex
	count int
	last  string
}

func (r *errorReports) add(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.count, r.last = r.count+1, text
}

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
	since time.Time // in the future to delay the next line
	told  bool
}

// How long no worker may run trials before this is logged, without and with advice.
const (
	firstVacant = time.Second
	longVacant  = 15 * time.Second
)

// watch logs that no worker takes assignments.
func (l *coordination) watch(ctx context.Context, info *jetstream.ConsumerInfo) {
	now := clock.Now(ctx)
	if l.vacancy.since.IsZero() || info.NumAckPending > 0 {
		l.vacancy.since, l.vacancy.told = now, l.vacancy.told || info.NumAckPending > 0
	}
	switch alone := now.Sub(l.vacancy.since); {
	case alone >= longVacant:
		l.run.Log(l.why(ctx))
		l.vacancy = idleWatch{since: now.Add(3 * longVacant), told: true}
	case alone >= firstVacant && !l.vacancy.told:
		l.run.Log("waiting for workers at " + l.conn.host)
		l.vacancy.told = true
	}
}

// why explains why no worker runs trials, as far as known.
func (l *coordination) why(ctx context.Context) string {
	l.complaints.mu.Lock()
	defer l.complaints.mu.Unlock()
	switch n := l.complaints.count; {
	case l.playOther(ctx):
		return "the workers play another run, and this one waits"
	case n == 1:
		return "no worker plays: 1 refused: " + l.complaints.last
	case n > 1:
		return fmt.Sprintf("no worker plays: %d refused, the last: %s", n, l.complaints.last)
	}
	return "no worker plays: begin some with evalctl worker " + l.conn.host
}

// playOther reports whether workers run trials of another run on the broker.
func (l *coordination) playOther(ctx context.Context) bool {
	ctx, cancel := clock.WithTimeout(ctx, l.conn.patience)
	defer cancel()
	ids, _ := l.conn.known(ctx)
	for _, id := range ids {
		if id == l.id {
			continue
		}
		c, err := l.conn.js.Consumer(ctx, streams{id: id}.leaseStream(), workers)
		if err == nil && c.CachedInfo().NumAckPending > 0 {
			return true
		}
	}
	return false
}

// complaints are the error reports of workers.
type complaints struct {
	mu    sync.Mutex
	count int
	last  string
}

func (r *complaints) add(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.count, r.last = r.count+1, text
}

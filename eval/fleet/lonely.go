package fleet

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"evalctl/agent/clock"
)

// lonely is since when nobody plays, and whether that was told.
type lonely struct {
	since time.Time // a later one puts off the next line
	told  bool
}

// How long nobody plays until that is told: first, and then what to do.
const (
	firstLonely = time.Second
	longLonely  = 15 * time.Second
)

// watch tells of leases that nobody takes.
func (l *lead) watch(ctx context.Context, info *jetstream.ConsumerInfo) {
	now := clock.Now(ctx)
	if l.lonely.since.IsZero() || info.NumAckPending > 0 {
		l.lonely.since, l.lonely.told = now, l.lonely.told || info.NumAckPending > 0
	}
	switch alone := now.Sub(l.lonely.since); {
	case alone >= longLonely:
		l.run.Tell(l.why(ctx))
		l.lonely = lonely{since: now.Add(3 * longLonely), told: true}
	case alone >= firstLonely && !l.lonely.told:
		l.run.Tell("waiting for workers at " + l.conn.host)
		l.lonely.told = true
	}
}

// why says why nobody plays, as far as that is known.
func (l *lead) why(ctx context.Context) string {
	l.refused.mu.Lock()
	defer l.refused.mu.Unlock()
	switch n := l.refused.count; {
	case l.playOther(ctx):
		return "the workers play another run, and this one waits"
	case n == 1:
		return "no worker plays: 1 refused: " + l.refused.last
	case n > 1:
		return fmt.Sprintf("no worker plays: %d refused, the last: %s", n, l.refused.last)
	}
	return "no worker plays: begin some with evalctl worker " + l.conn.host
}

// playOther tells that another run of the broker has leases with workers.
func (l *lead) playOther(ctx context.Context) bool {
	ctx, cancel := clock.WithTimeout(ctx, patience)
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

// refusals are why workers do not play.
type refusals struct {
	mu    sync.Mutex
	count int
	last  string
}

func (r *refusals) add(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.count, r.last = r.count+1, text
}

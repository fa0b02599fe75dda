package fleet

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"evalctl/agent/clock"
)

// withdrawal records when another client of the broker deleted the run's announcement, queues or
// files. It is cleared when a worker runs trials again.
type withdrawal struct {
	mu    sync.Mutex
	since time.Time // zero: not withdrawn, or workers continue
	shown int       // lines logged
}

// maxWithdrawalLines limits the lines about withdrawals, because a client may repeat them.
const maxWithdrawalLines = 20

// withdrawalTimeout is how long a withdrawn run waits for a worker.
func (l *coordination) withdrawalTimeout() time.Duration {
	if d := 4 * l.lostAfter; l.conn.reconnectTimeout == 0 || d < l.conn.reconnectTimeout {
		return d
	}
	return l.conn.reconnectTimeout
}

// record records and logs that the run was withdrawn.
func (w *withdrawal) record(ctx context.Context, l *coordination) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.since.IsZero() {
		return
	}
	w.since = clock.Now(ctx)
	if w.shown++; w.shown <= maxWithdrawalLines {
		l.run.Log(fmt.Sprintf("another client of the broker at %s withdrew this run: it is announced again, and ends if no worker takes part for %v",
			l.conn.host, l.withdrawalTimeout()))
	}
}

// check ends the run if it was withdrawn and no worker takes part.
func (w *withdrawal) check(ctx context.Context, l *coordination, active bool) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.since.IsZero():
		return nil
	case active:
		w.since = time.Time{}
		return nil
	case clock.Since(ctx, w.since) < l.withdrawalTimeout():
		return nil
	}
	return &finalError{fmt.Errorf(
		"another client of the broker at %s withdrew this run, and no worker took part for %v", l.conn.host,
		l.withdrawalTimeout())}
}

// isRemoved reports whether the error means that something on the broker no longer exists.
func isRemoved(err error) bool {
	for _, missing := range []error{jetstream.ErrStreamNotFound, jetstream.ErrConsumerNotFound,
		jetstream.ErrConsumerDeleted,
		jetstream.ErrBucketNotFound, jetstream.ErrObjectNotFound} {
		if errors.Is(err, missing) {
			return true
		}
	}
	return false
}

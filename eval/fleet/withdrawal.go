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

// withdrawal records since when the run is withdrawn: another client of the broker deleted its
// announcement, queues or files. It is cleared when a worker runs trials again.
type withdrawal struct {
	mu    sync.Mutex
	since time.Time // zero: not withdrawn, or workers continue
	shown int       // number of log lines about withdrawals
}

// maxWithdrawalLines is the maximum number of log lines about withdrawals, because a client may
// delete the run again and again.
const maxWithdrawalLines = 20

// withdrawalTimeout returns how long the coordinator of a withdrawn run waits for a worker.
func (l *coordination) withdrawalTimeout() time.Duration {
	if d := 4 * l.lostAfter; l.conn.reconnectTimeout == 0 || d < l.conn.reconnectTimeout {
		return d
	}
	return l.conn.reconnectTimeout
}

// record records that the run was withdrawn, and logs it.
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

// check returns a final error if the run was withdrawn and no worker has run trials for too long.
// active means that a worker runs trials now.
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

package fleet

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"evalctl/agent/clock"
)

// coordination is the state of one run at its coordinator.
type coordination struct {
	streams
	run Run

	seed maphash.Seed
	rows map[uint64]struct{} // hashes of the case fields and the position of each pending trial
	done *bitmap
	left int64

	lent     *bitmap // done, or assigned when the session began
	at       int64   // position of the next assignment
	size     int64   // trials per assignment
	last     uint64  // last result on the broker when the session began
	surveyed bool    // results up to last are read: all trials neither done nor lent may be assigned

	parallel   map[string]int      // concurrent trials, by worker
	scores     map[string]struct{} // score names in all results
	drops      int                 // rejected envelopes
	lastDrop   error               // last rejection since the remaining trials were assigned; nil: none
	fruitless  int                 // rounds of assignments that returned no valid result
	before     int64               // remaining trials at the end of the last round
	failed     bool                // a result could not be stored
	vacancy    idleWatch           // tracks missing workers
	withdrawal withdrawal          // by another client of the broker
	complaints complaints          // error reports of workers
}

// newLead reads the plan once.
func newLead(c Coordinator, run Run) (*coordination, error) {
	l := &coordination{streams: streams{conn: c.Conn, id: ID(run.Manifest), lost: cmp.Or(c.Lost, defaultLost)}, run: run,
		seed: maphash.MakeSeed(), rows: map[uint64]struct{}{}, parallel: map[string]int{}, scores: map[string]struct{}{}}
	var done []int64
	size := int64(0)
	for t, err := range run.Trials {
		if err != nil {
			return nil, err
		}
		key := t.Key()
		if run.Skip != nil && run.Skip(key) {
			done = append(done, size)
		} else {
			for _, row := range t.EmptyResults() {
				l.rows[l.rowOf(size, row)] = struct{}{}
			}
		}
		size++
	}
	l.done = newBitmap(size)
	for _, i := range done {
		l.done.add(i)
	}
	l.lent, l.left = l.done.clone(), l.done.size-int64(len(done))
	l.before = l.left
	l.size = min(max(l.left/256, leastLease), mostLease)
	return l, nil
}

// errLed rejects a second coordinator, for example of a copied run directory.
var errLed = &finalError{errors.New("another coordinator leads this run")}

// alone checks that no other coordinator leads the run, and from then on answers such checks. A
// killed coordinator does not answer.
func (l *coordination) alone(ctx context.Context) (*nats.Subscription, error) {
	err := l.conn.retry(ctx, func(ctx context.Context) error {
		_, err := l.conn.nc.RequestWithContext(ctx, l.ledSubject(), nil)
		switch {
		case errors.Is(err, nats.ErrNoResponders):
			return nil
		case err == nil, errors.Is(err, context.DeadlineExceeded) && l.conn.nc.IsConnected():
			return errLed // a suspended coordinator may continue
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return l.conn.nc.Subscribe(l.ledSubject(), func(m *nats.Msg) { _ = m.Respond(nil) })
}

func (l *coordination) announceRun(ctx context.Context) error {
	return l.announce(ctx, l.run.Manifest.Started)
}

// keepAnnounced renews the announcement of the run, and restores what another client of the broker
// deleted: the announcement, or the files that workers need. An announcement that was not renewed
// in time, for example because the computer slept, has only expired.
func (l *coordination) keepAnnounced(ctx context.Context) error {
	every := min(l.lost/4, time.Second)
	renewed := wallClock(ctx)
	for beats := 1; clock.Sleep(ctx, every) == nil; beats++ {
		due, withdrawn := beats%max(int(announced/12/every), 1) == 0, false
		_ = attempt(ctx, l.conn.patience, func(ctx context.Context) (err error) {
			withdrawn, err = l.isWithdrawn(ctx, due)
			return err
		})
		var failed error
		switch { // there is time for another attempt
		case withdrawn && ctx.Err() == nil:
			if wallClock(ctx).Sub(renewed) < announced {
				l.withdrawal.begin(ctx, l)
			}
			failed = attempt(ctx, transfer, l.restore)
		case due:
			failed = attempt(ctx, l.conn.patience, l.announceRun)
		default:
			continue
		}
		if failed == nil {
			renewed = wallClock(ctx)
		}
	}
	return nil
}

// wallClock returns the time without its monotonic part, which stops while a computer sleeps.
func wallClock(ctx context.Context) time.Time { return clock.Now(ctx).Round(0) }

// isWithdrawn reports whether the announcement is gone or, if files is set, files are.
func (l *coordination) isWithdrawn(ctx context.Context, files bool) (bool, error) {
	now, err := l.announcedState(ctx)
	if err != nil || now != goesOn || !files {
		return now != goesOn, err
	}
	store, err := l.conn.js.ObjectStore(ctx, l.bucket())
	if err == nil {
		_, err = store.GetInfo(ctx, orderObject)
	}
	if isRemoved(err) {
		return true, nil
	}
	return false, err
}

// hasLostQueues reports whether queues are gone. Pending requests then fail with errors of many
// kinds.
func (l *coordination) hasLostQueues(ctx context.Context) bool {
	return isRemoved(attempt(ctx, l.conn.patience, func(ctx context.Context) error {
		_, leases := l.conn.js.Stream(ctx, l.leaseStream())
		_, results := l.conn.js.Stream(ctx, l.resultStream())
		return errors.Join(leases, results)
	}))
}

// restore creates everything on the broker that workers need, unless it exists.
func (l *coordination) restore(ctx context.Context) error {
	if err := l.make(ctx); err != nil {
		return err
	}
	return l.offer(ctx)
}

// hear logs error reports of workers, up to a limit.
func (l *coordination) hear() nats.MsgHandler {
	left := 200
	return func(m *nats.Msg) {
		if left--; left >= 0 {
			text := plain("worker " + m.Header.Get(header) + " says: " + string(m.Data))
			l.complaints.add(text)
			l.run.Log(text)
		}
	}
}

// play runs sessions with the broker. A session starts from the broker's current state and ends
// when the broker fails.
func (l *coordination) play(ctx context.Context) error {
	var stalled stall
	for n := 0; ; n++ {
		before := l.left
		err := l.session(ctx)
		if err != nil && isFinal(err) {
			return err
		}
		if isRemoved(err) || err != nil && l.hasLostQueues(ctx) {
			l.withdrawal.begin(ctx, l)
		}
		switch {
		case l.left == 0:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case l.left < before:
			n, stalled = 0, stall{}
		}
		if err := stalled.note(ctx, l.conn, err); err != nil {
			return err
		}
		if err := clock.Sleep(ctx, wait(n)); err != nil {
			return err
		}
	}
}

// session assigns trials and collects results until all are done, or an error occurs.
func (l *coordination) session(ctx context.Context) error {
	if err := l.conn.retry(ctx, l.make); err != nil {
		return err
	}
	if err := l.offer(ctx); err != nil {
		return err
	}
	results, err := l.takings(ctx)
	if err != nil {
		return err
	}
	if err := l.survey(ctx); err != nil {
		return err
	}
	for l.left > 0 {
		over := false
		if l.surveyed {
			if over, err = l.assign(ctx); err != nil {
				return err
			}
		}
		n, err := l.take(ctx, results)
		if err != nil {
			return err
		}
		if over && n == 0 {
			return l.lendAgain()
		}
		l.surveyed = l.surveyed || n == 0
	}
	return nil
}

// offer uploads what workers need, unless it exists, and announces the run.
func (l *coordination) offer(ctx context.Context) error {
	store, err := l.store(ctx)
	if err != nil {
		return err
	}
	if _, err := store.GetInfo(ctx, orderObject); errors.Is(err, jetstream.ErrObjectNotFound) {
		roots, err := List(l.run.Paths)
		if err != nil {
			return &finalError{err}
		}
		m, err := json.Marshal(l.run.Manifest)
		if err != nil {
			return &finalError{err}
		}
		if err := l.ship(ctx, RunSpec{Manifest: m, Roots: roots, Lost: l.lost}); err != nil {
			return err
		}
	} else if err != nil {
		return err
	}
	return l.conn.retry(ctx, l.announceRun)
}

// end collects remaining results if the run did not end, and removes the run from the broker.
func (l *coordination) end(ctx context.Context) error {
	ctx, cancel := clock.WithTimeout(context.WithoutCancel(ctx), l.conn.patience)
	defer cancel()
	now := ended
	if l.left > 0 {
		now = stopped
	}
	closed := l.close(ctx, now) // no worker may start a trial
	if l.left > 0 && !l.failed {
		if results, err := l.takings(ctx); err == nil {
			for n := 1; n > 0 && err == nil && l.left > 0; {
				n, err = l.take(ctx, results)
			}
		}
	}
	if err := errors.Join(closed, l.remove(ctx)); err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			err = fmt.Errorf("it does not answer within %v", l.conn.patience)
		}
		l.run.Log(fmt.Sprintf("what the run has on the broker at %s is left there for %v: %v", l.conn.host, maxAge, err))
	}
	return nil
}

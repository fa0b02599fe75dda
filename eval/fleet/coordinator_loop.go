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

// coordination is one run under way, as its coordinator sees it.
type coordination struct {
	streams
	run Run

	seed maphash.Seed
	rows map[uint64]struct{} // hash of what rows of each trial that is to be played may repeat of it, and of its place
	done *bitmap
	left int64

	lent     *bitmap // done, or with workers, when the session began
	at       int64   // the next to be lent
	size     int64   // of a lease
	last     uint64  // the last result that lay there when the session began
	surveyed bool    // that one was taken: what is neither done nor lent is to be lent

	parallel   map[string]int      // trials at once, by worker
	scores     map[string]struct{} // names of the scores in all results
	drops      int                 // parcels that are no results of the run
	lastDrop   error               // the last of them, since the trials that are left were lent; nil: none
	fruitless  int                 // times that all that was left was lent, and what came of it dropped, or nothing came
	before     int64               // trials left when all was lent last
	failed     bool                // a result could not be kept
	vacancy    idleWatch           // that nobody plays
	withdrawal withdrawal          // by another client of the broker
	complaints complaints          // of workers
}

// newLead goes through the plan once.
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

// errLed is why a second coordinator, say of a copied folder, leaves a run alone.
var errLed = &finalError{errors.New("another coordinator leads this run")}

// alone makes sure that nobody else leads the run, and answers whoever asks that from
// then on. One that was killed answers no more.
func (l *coordination) alone(ctx context.Context) (*nats.Subscription, error) {
	err := l.conn.retry(ctx, func(ctx context.Context) error {
		_, err := l.conn.nc.RequestWithContext(ctx, l.ledSubject(), nil)
		switch {
		case errors.Is(err, nats.ErrNoResponders):
			return nil
		case err == nil, errors.Is(err, context.DeadlineExceeded) && l.conn.nc.IsConnected():
			return errLed // one that stands still may go on
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

// keepAnnounced announces the run again and again, and puts back what another client of the
// broker has withdrawn of it: the announcement, or the files that workers need. An announcement
// that was not renewed in time, as by a computer that slept, has only expired.
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
		switch { // there is time to try again
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

// wallClock is the time without its monotonic part, which stands still while a computer sleeps.
func wallClock(ctx context.Context) time.Time { return clock.Now(ctx).Round(0) }

// isWithdrawn reports an announcement that is gone, and if files is set, files that are.
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

// hasLostQueues reports queues that are gone. Requests that were under way end in errors of
// many kinds then.
func (l *coordination) hasLostQueues(ctx context.Context) bool {
	return isRemoved(attempt(ctx, l.conn.patience, func(ctx context.Context) error {
		_, leases := l.conn.js.Stream(ctx, l.leaseStream())
		_, results := l.conn.js.Stream(ctx, l.resultStream())
		return errors.Join(leases, results)
	}))
}

// restore puts what workers need on the broker, as far as it is not there.
func (l *coordination) restore(ctx context.Context) error {
	if err := l.make(ctx); err != nil {
		return err
	}
	return l.offer(ctx)
}

// hear shows what workers tell, to a bound.
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

// play goes through sessions with the broker: each begins with what is there, and ends
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

// session lends and takes until all is done, or something goes wrong.
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

// offer ships what workers need, unless it is there, and announces the run.
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

// end takes what lies there, where the run did not end, and removes it.
func (l *coordination) end(ctx context.Context) error {
	ctx, cancel := clock.WithTimeout(context.WithoutCancel(ctx), l.conn.patience)
	defer cancel()
	now := ended
	if l.left > 0 {
		now = stopped
	}
	closed := l.close(ctx, now) // no worker is to begin anything
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

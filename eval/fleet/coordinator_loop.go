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

// coordination is the state of a run in its coordinator.
type coordination struct {
	runStreams
	run Run

	seed maphash.Seed
	// hashes of the position and the case fields of each pending trial, to recognize valid results
	rows      map[uint64]struct{}
	done      *bitmap
	remaining int64

	assigned     *bitmap // trials that are done or assigned
	nextPosition int64   // position of the first trial of the next assignment
	batchSize    int64   // number of trials per assignment
	lastResult   uint64  // sequence number of the last result that was on the broker when the session began
	// the results up to lastResult are read, so all trials outside the set assigned may be assigned
	canAssign bool

	parallel map[string]int      // number of trials that each worker runs at a time
	scores   map[string]struct{} // all score names in the results
	rejected int                 // number of rejected results
	// reason of the last rejection since the missing trials were assigned; nil: none
	lastRejection   error
	attempts        int          // number of attempts to obtain the missing trials that returned no valid result
	remainingBefore int64        // number of remaining trials after the previous attempt
	failed          bool         // a result could not be stored
	idle            idleWatch    // time since which no worker runs trials
	withdrawal      withdrawal   // set if another client of the broker deleted the run
	reports         errorReports // error messages from workers
}

// newCoordination creates the state of a run. It iterates over all trials once.
func newCoordination(c Coordinator, run Run) (*coordination, error) {
	l := &coordination{
		runStreams: runStreams{conn: c.Conn, id: RunID(run.Manifest), lostAfter: cmp.Or(c.WorkerTimeout, defaultLost)},
		run:        run,
		seed:       maphash.MakeSeed(),
		rows:       map[uint64]struct{}{},
		parallel:   map[string]int{},
		scores:     map[string]struct{}{},
	}
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
	l.assigned, l.remaining = l.done.clone(), l.done.size-int64(len(done))
	l.remainingBefore = l.remaining
	l.batchSize = min(max(l.remaining/256, minAssignment), maxAssignment)
	return l, nil
}

// errAlreadyLed is returned to a second coordinator of the same run, for example of a copy.
var errAlreadyLed = &finalError{errors.New("another coordinator leads this run")}

// claimLeadership checks that no other coordinator leads the run. From then on it answers the same
// check of other coordinators. A killed coordinator does not answer.
func (l *coordination) claimLeadership(ctx context.Context) (*nats.Subscription, error) {
	err := l.conn.retry(ctx, func(ctx context.Context) error {
		_, err := l.conn.nc.RequestWithContext(ctx, l.leaderSubject(), nil)
		switch {
		case errors.Is(err, nats.ErrNoResponders):
			return nil
		case err == nil, errors.Is(err, context.DeadlineExceeded) && l.conn.nc.IsConnected():
			return errAlreadyLed // a coordinator that does not answer in time may be suspended, so it still leads
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return l.conn.nc.Subscribe(l.leaderSubject(), func(m *nats.Msg) { _ = m.Respond(nil) })
}

func (l *coordination) announceRun(ctx context.Context) error {
	return l.announce(ctx, l.run.Manifest.Started)
}

// keepAnnounced renews the run's announcement on the broker until ctx ends, so that workers find
// the run. It also restores the announcement, and the files that workers need, if another client of
// the broker deleted them. An announcement that was not renewed in time (for example, because the
// computer slept) has only expired.
func (l *coordination) keepAnnounced(ctx context.Context) error {
	every := min(l.lostAfter/4, time.Second)
	renewed := wallClock(ctx)
	for beats := 1; clock.Sleep(ctx, every) == nil; beats++ {
		due, withdrawn := beats%max(int(announcementLifetime/12/every), 1) == 0, false
		_ = attempt(ctx, l.conn.requestTimeout, func(ctx context.Context) (err error) {
			withdrawn, err = l.isWithdrawn(ctx, due)
			return err
		})
		var failed error
		switch { // a failed attempt is repeated in the next period
		case withdrawn && ctx.Err() == nil:
			if wallClock(ctx).Sub(renewed) < announcementLifetime {
				l.withdrawal.record(ctx, l)
			}
			failed = attempt(ctx, transferTimeout, l.restore)
		case due:
			failed = attempt(ctx, l.conn.requestTimeout, l.announceRun)
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

// isWithdrawn reports whether another client deleted the announcement of the run. If files is set,
// it also checks the files of the run.
func (l *coordination) isWithdrawn(ctx context.Context, files bool) (bool, error) {
	now, err := l.announcedState(ctx)
	if err != nil || now != running || !files {
		return now != running, err
	}
	store, err := l.conn.js.ObjectStore(ctx, l.bucket())
	if err == nil {
		_, err = store.GetInfo(ctx, specObject)
	}
	if isRemoved(err) {
		return true, nil
	}
	return false, err
}

// hasLostQueues reports whether the queues of the run no longer exist.
func (l *coordination) hasLostQueues(ctx context.Context) bool {
	return isRemoved(attempt(ctx, l.conn.requestTimeout, func(ctx context.Context) error {
		_, leases := l.conn.js.Stream(ctx, l.leaseStream())
		_, results := l.conn.js.Stream(ctx, l.resultStream())
		return errors.Join(leases, results)
	}))
}

// restore creates the queues, files and announcement that workers need, where they do not exist.
func (l *coordination) restore(ctx context.Context) error {
	if err := l.create(ctx); err != nil {
		return err
	}
	return l.publish(ctx)
}

// reportHandler returns a handler that logs the error messages of workers, up to a limit.
func (l *coordination) reportHandler() nats.MsgHandler {
	left := 200
	return func(m *nats.Msg) {
		if left--; left >= 0 {
			text := sanitize("worker " + m.Header.Get(workerHeader) + " reports: " + string(m.Data))
			l.reports.add(text)
			l.run.Log(text)
		}
	}
}

// runSessions runs one session after another until all trials have results. A session ends when the
// broker fails. The next one starts from the state that the broker then has.
func (l *coordination) runSessions(ctx context.Context) error {
	var stalled stall
	for n := 0; ; n++ {
		before := l.remaining
		err := l.session(ctx)
		if err != nil && isFinal(err) {
			return err
		}
		if isRemoved(err) || err != nil && l.hasLostQueues(ctx) {
			l.withdrawal.record(ctx, l)
		}
		switch {
		case l.remaining == 0:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case l.remaining < before:
			n, stalled = 0, stall{}
		}
		if err := stalled.note(ctx, l.conn, err); err != nil {
			return err
		}
		if err := clock.Sleep(ctx, backoff(n)); err != nil {
			return err
		}
	}
}

// session assigns trials and collects results until all trials are done, or an error occurs.
func (l *coordination) session(ctx context.Context) error {
	if err := l.conn.retry(ctx, l.create); err != nil {
		return err
	}
	if err := l.publish(ctx); err != nil {
		return err
	}
	results, err := l.resultConsumer(ctx)
	if err != nil {
		return err
	}
	if err := l.loadAssigned(ctx); err != nil {
		return err
	}
	for l.remaining > 0 {
		over := false
		if l.canAssign {
			if over, err = l.assign(ctx); err != nil {
				return err
			}
		}
		n, err := l.collect(ctx, results)
		if err != nil {
			return err
		}
		if over && n == 0 {
			return l.reassign()
		}
		l.canAssign = l.canAssign || n == 0
	}
	return nil
}

// publish uploads the files that workers need, unless they exist, and announces the run.
func (l *coordination) publish(ctx context.Context) error {
	store, err := l.store(ctx)
	if err != nil {
		return err
	}
	if _, err := store.GetInfo(ctx, specObject); errors.Is(err, jetstream.ErrObjectNotFound) {
		roots, err := ListFiles(l.run.Paths)
		if err != nil {
			return &finalError{err}
		}
		m, err := json.Marshal(l.run.Manifest)
		if err != nil {
			return &finalError{err}
		}
		if err := l.upload(ctx, RunSpec{Manifest: m, Files: roots, WorkerTimeout: l.lostAfter}); err != nil {
			return err
		}
	} else if err != nil {
		return err
	}
	return l.conn.retry(ctx, l.announceRun)
}

// end collects remaining results if the run was stopped, and removes the run from the broker.
func (l *coordination) end(ctx context.Context) error {
	ctx, cancel := clock.WithTimeout(context.WithoutCancel(ctx), l.conn.requestTimeout)
	defer cancel()
	now := ended
	if l.remaining > 0 {
		now = stopped
	}
	closed := l.close(ctx, now) // from now on, no worker may start a trial
	if l.remaining > 0 && !l.failed {
		if results, err := l.resultConsumer(ctx); err == nil {
			for n := 1; n > 0 && err == nil && l.remaining > 0; {
				n, err = l.collect(ctx, results)
			}
		}
	}
	if err := errors.Join(closed, l.remove(ctx)); err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			err = fmt.Errorf("it does not answer within %v", l.conn.requestTimeout)
		}
		l.run.Log(fmt.Sprintf("what the run has on the broker at %s is left there for %v: %v",
			l.conn.host, maxAge, err))
	}
	return nil
}

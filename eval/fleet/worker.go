package fleet

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"evalctl/agent/clock"
	"evalctl/agent/secret"
	"evalctl/eval"
)

// Job is a run as planned by a worker.
type Job struct {
	Trials func(from, to int64) iter.Seq2[eval.Trial, error] // by positions in the plan; not called concurrently
	Total  int64
	Runner eval.Runner
	Close  func() error
}

// Worker runs trials of the runs on a broker, one run after the other.
type Worker struct {
	Conn    *Conn
	Name    string // used in reports to the coordinator
	Secrets *secret.Set
	// returns an error for a run that this worker cannot or may not run; at maps paths to local
	// files
	Plan func(o RunSpec, at map[string]string) (Job, error)
	Once bool          // end after the first run
	Idle time.Duration // end after this time without a trial; 0: never
	Log  func(string)
}

// ErrRunRejected is returned by a worker with Once that rejected its run.
var ErrRunRejected = errors.New("declined")

// pause is the time between two checks for a run.
const pause = 300 * time.Millisecond

// Run runs trials until ctx ends, or as limited by Once and Idle.
func (w Worker) Run(ctx context.Context) error {
	removeStaleWorkspaces(clock.WallNow(ctx))
	rejected := map[string]bool{}
	since := clock.Now(ctx)
	for {
		id, err := w.find(ctx, rejected)
		if err != nil {
			return err
		}
		if id == "" {
			if w.Idle > 0 && clock.Since(ctx, since) >= w.Idle {
				return nil
			}
			if err := clock.Sleep(ctx, pause); err != nil {
				return err
			}
			continue
		}
		result, err := w.runSession(ctx, streams{conn: w.Conn, id: id})
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			rejected[id] = true
			why := w.Secrets.Redact(err.Error())
			streams{conn: w.Conn, id: id}.report(w.Name, "does not run it: "+why)
			w.Log(fmt.Sprintf("worker %s does not run it: %s", w.Name, why))
			if w.Once {
				return fmt.Errorf("%w: %w", ErrRunRejected, err)
			}
		case result.suspended: // it joins again
		case result.now == stopped || result.now == gone:
			why := w.unendedError(result.now)
			w.Log(fmt.Sprintf("worker %s: %v", w.Name, why))
			if w.Once {
				return why
			}
			if result.hasRun {
				since = clock.Now(ctx)
			}
		case w.Once:
			return nil
		case result.hasRun:
			since = clock.Now(ctx)
		default:
			if w.Idle > 0 && clock.Since(ctx, since) >= w.Idle {
				return nil
			}
		}
	}
}

// ErrUnended is returned by a worker with Once if its run did not end.
var ErrUnended = errors.New("the run did not end")

// unendedError describes the state of a run that did not end.
func (w Worker) unendedError(now state) error {
	if now == stopped {
		return fmt.Errorf("%w: its coordinator stopped it", ErrUnended)
	}
	return fmt.Errorf("%w: it is no longer announced at the broker at %s, and its coordinator does not answer",
		ErrUnended, w.Conn.host)
}

// outcome is the result of a worker's session.
type outcome struct {
	hasRun, suspended bool
	now               state
}

// find returns the ID of a run, "" if there is none.
func (w Worker) find(ctx context.Context, rejected map[string]bool) (id string, err error) {
	err = w.Conn.retry(ctx, func(ctx context.Context) error {
		ids, err := w.Conn.announcedRuns(ctx)
		ids = slices.DeleteFunc(ids, func(id string) bool { return rejected[id] })
		if len(ids) > 0 {
			id = ids[0]
		}
		return err
	})
	return id, err
}

// runSession runs trials of a run until it is over, or no trial was available for Idle.
func (w Worker) runSession(ctx context.Context, s streams) (result outcome, err error) {
	dir, free, err := workspace()
	if err != nil {
		return result, err
	}
	defer free()
	o, at, err := s.fetchRestored(ctx, dir)
	if err != nil {
		if result.now, _ = s.state(ctx); result.now != running {
			return result, nil
		}
		return result, err
	}
	job, err := w.Plan(o, at)
	if err != nil {
		return result, err
	}
	s.lostAfter = min(max(o.Lost, time.Second), time.Hour)
	r := newSession(w, s, job)
	err = r.run(ctx)
	return outcome{hasRun: r.hasRun, suspended: r.suspended, now: r.runState()}, errors.Join(err, job.Close())
}

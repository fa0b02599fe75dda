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

// Job is a run as a worker has prepared it.
type Job struct {
	// returns the trials of the run at the positions from ≤ p < to; not called concurrently
	Trials      func(from, to int64) iter.Seq2[eval.Trial, error]
	TotalTrials int64        // number of trials in the run
	Runner      eval.Runner  // runs the trials
	Close       func() error // releases the resources of the run
}

// Worker runs trials for the coordinators that announce runs on a broker, one run after another.
type Worker struct {
	Conn    *Conn       // connection to the broker
	Name    string      // name of the worker in messages to the coordinator
	Secrets *secret.Set // secrets of this machine, redacted in everything that is sent
	// prepares a run; an error means that this worker cannot or may not run it; at maps the paths
	// of the run's files to local paths
	NewJob      func(o RunSpec, at map[string]string) (Job, error)
	Once        bool          // end after the first run
	IdleTimeout time.Duration // end after this time without a trial; 0: never
	Log         func(string)  // prints a line on the terminal
}

// ErrRunRejected is returned by a worker that was started for one run (Once) and cannot run it.
var ErrRunRejected = errors.New("declined")

// pollInterval is the time between two checks for an announced run.
const pollInterval = 300 * time.Millisecond

// Run runs the trials of announced runs until ctx ends, or as limited by Once and Idle.
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
			if w.IdleTimeout > 0 && clock.Since(ctx, since) >= w.IdleTimeout {
				return nil
			}
			if err := clock.Sleep(ctx, pollInterval); err != nil {
				return err
			}
			continue
		}
		result, err := w.runSession(ctx, runStreams{conn: w.Conn, id: id})
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			rejected[id] = true
			why := w.Secrets.Redact(err.Error())
			runStreams{conn: w.Conn, id: id}.report(w.Name, "does not run it: "+why)
			w.Log(fmt.Sprintf("worker %s does not run it: %s", w.Name, why))
			if w.Once {
				return fmt.Errorf("%w: %w", ErrRunRejected, err)
			}
		case result.suspended: // the worker joins the run again
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
			if w.IdleTimeout > 0 && clock.Since(ctx, since) >= w.IdleTimeout {
				return nil
			}
		}
	}
}

// ErrRunAborted is returned by a worker that was started for one run (Once) if the run was stopped or
// abandoned.
var ErrRunAborted = errors.New("the run did not end")

func (w Worker) unendedError(now state) error {
	if now == stopped {
		return fmt.Errorf("%w: its coordinator stopped it", ErrRunAborted)
	}
	return fmt.Errorf("%w: it is no longer announced at the broker at %s, and its coordinator does not answer",
		ErrRunAborted, w.Conn.host)
}

// outcome states how a worker's session on a run ended.
type outcome struct {
	hasRun, suspended bool
	now               state
}

// find returns the RunID of the earliest run that this worker has not rejected, or "" without one.
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

// runSession runs trials of one run. It ends when the run is over, or when no trial was available
// for the time Idle.
func (w Worker) runSession(ctx context.Context, s runStreams) (result outcome, err error) {
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
	job, err := w.NewJob(o, at)
	if err != nil {
		return result, err
	}
	s.lostAfter = min(max(o.WorkerTimeout, time.Second), time.Hour)
	r := newSession(w, s, job)
	err = r.run(ctx)
	return outcome{hasRun: r.hasRun, suspended: r.suspended, now: r.runState()}, errors.Join(err, job.Close())
}

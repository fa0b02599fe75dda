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
	clearRooms(clock.WallNow(ctx))
	declined := map[string]bool{}
	since := clock.Now(ctx)
	for {
		id, err := w.find(ctx, declined)
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
		was, err := w.play(ctx, streams{conn: w.Conn, id: id})
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			declined[id] = true
			why := w.Secrets.Redact(err.Error())
			streams{conn: w.Conn, id: id}.tell(w.Name, "does not play the run: "+why)
			w.Log(fmt.Sprintf("worker %s does not play the run: %s", w.Name, why))
			if w.Once {
				return fmt.Errorf("%w: %w", ErrRunRejected, err)
			}
		case was.frozen: // it joins again
		case was.now == stopped || was.now == gone:
			why := w.unended(was.now)
			w.Log(fmt.Sprintf("worker %s: %v", w.Name, why))
			if w.Once {
				return why
			}
			if was.played {
				since = clock.Now(ctx)
			}
		case w.Once:
			return nil
		case was.played:
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

// unended describes the state of a run that did not end.
func (w Worker) unended(now state) error {
	if now == stopped {
		return fmt.Errorf("%w: its coordinator stopped it", ErrUnended)
	}
	return fmt.Errorf("%w: it is no longer announced at the broker at %s, and its coordinator does not answer", ErrUnended, w.Conn.host)
}

// outcome is the result of a worker's session.
type outcome struct {
	played, frozen bool
	now            state
}

// find returns the ID of a run, "" if there is none.
func (w Worker) find(ctx context.Context, declined map[string]bool) (id string, err error) {
	err = w.Conn.retry(ctx, func(ctx context.Context) error {
		ids, err := w.Conn.known(ctx)
		ids = slices.DeleteFunc(ids, func(id string) bool { return declined[id] })
		if len(ids) > 0 {
			id = ids[0]
		}
		return err
	})
	return id, err
}

// play runs trials of a run until it is over, or no trial was available for Idle.
func (w Worker) play(ctx context.Context, s streams) (was outcome, err error) {
	dir, free, err := workspace()
	if err != nil {
		return was, err
	}
	defer free()
	o, at, err := s.fetchRestored(ctx, dir)
	if err != nil {
		if was.now, _ = s.state(ctx); was.now != goesOn {
			return was, nil
		}
		return was, err
	}
	job, err := w.Plan(o, at)
	if err != nil {
		return was, err
	}
	s.lost = min(max(o.Lost, time.Second), time.Hour)
	r := newRound(w, s, job)
	err = r.play(ctx)
	return outcome{played: r.played, frozen: r.frozen, now: r.became()}, errors.Join(err, job.Close())
}

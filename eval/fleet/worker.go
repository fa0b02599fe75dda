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

// Job is a run as a worker has planned it.
type Job struct {
	Trials func(from, to int64) iter.Seq2[eval.Trial, error] // by their places; one goroutine at a time asks
	Total  int64
	Runner eval.Runner
	Close  func() error
}

// Worker plays trials of whatever runs a broker has, one run after the other.
type Worker struct {
	Conn    *Conn
	Name    string // in what the coordinator is told
	Secrets *secret.Set
	Plan    func(o RunSpec, at map[string]string) (Job, error) // refuses what this worker cannot play, or may not; at: where files are here
	Once    bool                                               // ends with the first run that it played
	Idle    time.Duration                                      // without a trial after which it ends; 0: never
	Log     func(string)
}

// ErrRunRejected is why a worker that was to play one run has played none.
var ErrRunRejected = errors.New("declined")

// pause is the time between two looks for a run.
const pause = 300 * time.Millisecond

// Run plays until ctx ends, or what Once and Idle say.
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

// ErrUnended is why a worker that was to run one run ends before that did.
var ErrUnended = errors.New("the run did not end")

// unended says what became of a run that did not end.
func (w Worker) unended(now state) error {
	if now == stopped {
		return fmt.Errorf("%w: its coordinator stopped it", ErrUnended)
	}
	return fmt.Errorf("%w: it is no longer announced at the broker at %s, and its coordinator does not answer", ErrUnended, w.Conn.host)
}

// outcome is what became of a run at a worker.
type outcome struct {
	played, frozen bool
	now            state
}

// find is a run to play, "" where there is none.
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

// play plays trials of a run until it is over, or there was nothing to do for Idle.
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

package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"evalctl/agent/clock"
	"evalctl/eval"
	"evalctl/eval/journal"
)

// Coordinator has workers play a run.
type Coordinator struct {
	Conn *Conn
	Lost time.Duration // silence after which a worker's trials go to others; 0: 30 s
}

// Run is what is to be played.
type Run struct {
	Manifest journal.Manifest
	Paths    []string // files and folders that its suites name
	Trials   iter.Seq2[eval.Trial, error]
	Skip     func(key string) bool // trials that a resumed run already has; nil: none

	Add  func(r eval.Result, parallel int) error // of each trial once; parallel trials are under way at once
	Sync func() error                            // makes durable what was added
	Tell func(string)                            // shows a line on the terminal
}

// Play lends the trials until each has a result, Add fails or ctx ends, and then leaves
// nothing on the broker. Results that lie there when ctx ends are taken yet. Killed, it
// leaves the run there, to go on with.
func (c Coordinator) Play(ctx context.Context, run Run) error {
	l, err := newLead(c, run)
	if err != nil || l.left == 0 {
		return err
	}
	alone, err := l.alone(ctx)
	if err != nil {
		return err
	}
	told, err := c.Conn.nc.Subscribe(l.toldSubject(), l.hear())
	if err != nil {
		return errors.Join(err, alone.Unsubscribe())
	}
	g, gctx := clock.NewGroup(ctx, 0)
	gctx, stop := context.WithCancel(gctx)
	g.Go("announce", func(context.Context) error { return l.keepAnnounced(gctx) })
	g.Go("take", func(context.Context) error { defer stop(); return l.play(gctx) })
	err = g.Wait()
	l.tellRefused()
	return errors.Join(err, told.Unsubscribe(), l.end(ctx), alone.Unsubscribe())
}

// errLed is why a second coordinator, say of a copied folder, leaves a run alone.
var errLed = &finalError{errors.New("another coordinator leads this run")}

// alone makes sure that nobody else leads the run, and answers whoever asks that from
// then on. One that was killed answers no more.
func (l *lead) alone(ctx context.Context) (*nats.Subscription, error) {
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

func (l *lead) announceRun(ctx context.Context) error { return l.announce(ctx, l.run.Manifest.Started) }

// keepAnnounced has workers know that the run goes on.
func (l *lead) keepAnnounced(ctx context.Context) error {
	for clock.Sleep(ctx, announced/12) == nil {
		_ = attempt(ctx, patience, l.announceRun) // there is time to try again
	}
	return nil
}

// hear shows what workers tell, to a bound.
func (l *lead) hear() nats.MsgHandler {
	left := 200
	return func(m *nats.Msg) {
		if left--; left >= 0 {
			text := plain("worker " + m.Header.Get(header) + " says: " + string(m.Data))
			l.refused.add(text)
			l.run.Tell(text)
		}
	}
}

// play goes through sessions with the broker: each begins with what is there, and ends
// when the broker fails.
func (l *lead) play(ctx context.Context) error {
	var no refusal
	for n := 0; ; n++ {
		before := l.left
		err := l.session(ctx)
		switch {
		case err != nil && isFinal(err):
			return err
		case l.left == 0:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case l.left < before:
			n, no = 0, refusal{}
		}
		if err := no.note(ctx, l.conn, err); err != nil {
			return err
		}
		if err := clock.Sleep(ctx, wait(n)); err != nil {
			return err
		}
	}
}

// session lends and takes until all is done, or something goes wrong.
func (l *lead) session(ctx context.Context) error {
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
		n, err := l.take(ctx, results)
		if err != nil {
			return err
		}
		l.surveyed = l.surveyed || n == 0
		if !l.surveyed {
			continue
		}
		over, err := l.lend(ctx)
		if err != nil {
			return err
		}
		if over && n == 0 {
			return l.lendAgain()
		}
	}
	return nil
}

// offer ships what workers need, unless it is there, and announces the run.
func (l *lead) offer(ctx context.Context) error {
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
		if err := l.ship(ctx, Order{Manifest: m, Roots: roots, Lost: l.lost}); err != nil {
			return err
		}
	} else if err != nil {
		return err
	}
	return l.conn.retry(ctx, l.announceRun)
}

// end takes what lies there, where the run did not end, and removes it.
func (l *lead) end(ctx context.Context) error {
	ctx, cancel := clock.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	if l.left > 0 && !l.failed {
		_ = l.withdraw(ctx) // no worker is to begin anything
		if results, err := l.takings(ctx); err == nil {
			for n := 1; n > 0 && err == nil && l.left > 0; {
				n, err = l.take(ctx, results)
			}
		}
	}
	if err := l.remove(ctx); err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			err = fmt.Errorf("it does not answer within %v", patience)
		}
		l.run.Tell(fmt.Sprintf("what the run has on the broker at %s is left there for %v: %v", l.conn.host, maxAge, err))
	}
	return nil
}

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

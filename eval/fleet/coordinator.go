package fleet

import (
	"context"
	"errors"
	"iter"
	"time"

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
	Log  func(string)                            // shows a line on the terminal
}

// Run lends the trials until each has a result, Add fails or ctx ends, and then leaves
// nothing on the broker. Results that lie there when ctx ends are taken yet. Killed, it
// leaves the run there, to go on with.
func (c Coordinator) Run(ctx context.Context, run Run) error {
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
	l.tellDropped()
	return errors.Join(err, told.Unsubscribe(), l.end(ctx), alone.Unsubscribe())
}

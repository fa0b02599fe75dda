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

// Coordinator distributes a run to workers.
type Coordinator struct {
	Conn      *Conn
	LostAfter time.Duration // silence after which a worker's trials are assigned to others; 0: 30 s
}

// Run is a run to distribute.
type Run struct {
	Manifest journal.Manifest
	Paths    []string // files and directories that its suites name
	Trials   iter.Seq2[eval.Trial, error]
	Skip     func(key string) bool // reports trials that a resumed run already has; nil: none

	Add  func(r eval.Result, parallel int) error // called once per trial; parallel is the number of concurrent trials
	Sync func() error                            // makes added results durable
	Log  func(string)                            // prints a line on the terminal
}

// Run assigns the trials until each has a result, Add fails or ctx ends. It then removes the run
// from the broker. When ctx ends, results that are already on the broker are still collected. If
// the coordinator is killed, the run remains on the broker and can be resumed.
func (c Coordinator) Run(ctx context.Context, run Run) error {
	l, err := newCoordination(c, run)
	if err != nil || l.remaining == 0 {
		return err
	}
	leadership, err := l.claimLeadership(ctx)
	if err != nil {
		return err
	}
	reports, err := c.Conn.nc.Subscribe(l.reportSubject(), l.reportHandler())
	if err != nil {
		return errors.Join(err, leadership.Unsubscribe())
	}
	g, gctx := clock.NewGroup(ctx, 0)
	gctx, stop := context.WithCancel(gctx)
	g.Go("announce", func(context.Context) error { return l.keepAnnounced(gctx) })
	g.Go("take", func(context.Context) error { defer stop(); return l.runSessions(gctx) })
	err = g.Wait()
	l.logRejected()
	return errors.Join(err, reports.Unsubscribe(), l.end(ctx), leadership.Unsubscribe())
}

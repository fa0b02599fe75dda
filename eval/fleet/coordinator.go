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

// Coordinator distributes the trials of a run to workers and collects their results.
type Coordinator struct {
	Conn *Conn // connection to the broker
	// time without a sign of life after which a worker's trials are assigned to others; 0: 30 s
	WorkerTimeout time.Duration
}

// Run is the run that a [Coordinator] distributes.
type Run struct {
	Manifest journal.Manifest             // description of the run that workers need to plan it
	Paths    []string                     // files and directories that the suites of the run use
	Trials   iter.Seq2[eval.Trial, error] // all trials of the run, in a fixed order
	// reports whether a resumed run already has the trial with this key; nil: none
	Skip func(key string) bool

	// stores the result of a trial, called once per trial; parallel is the number of trials that
	// all workers run at a time
	AddResult func(r eval.Result, parallel int) error
	Sync      func() error // writes all added results durably to disk
	Log       func(string) // prints a line on the terminal
}

// Run distributes the trials until each has a result, Add fails or ctx ends. It then removes the
// run from the broker. When ctx ends, it still collects the results that are already on the broker.
// If the process is killed, the run remains on the broker and can be resumed.
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

package eval

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"evalctl/agent/clock"
)

// watchdog watches simulated trials on the wall clock. A trial whose simulation makes no step for
// long is blocked outside its clock, which only an external check detects. The watchdog reports the
// trial; it does not end it.
type watchdog struct {
	warn    func(string)
	timeout time.Duration
	active  bool
	stopped *clock.Chan[struct{}]

	mu     sync.Mutex
	trials map[*guarded]struct{}
}

// guarded is a watched trial.
type guarded struct {
	trial  *Trial
	steps  func() int64
	step   int64 // at the last check
	checks int   // consecutive checks at the same step
}

func newWatchdog(r Runner) *watchdog {
	return &watchdog{
		warn:    r.Warn,
		timeout: cmp.Or(r.StallTimeout, 30*time.Second),
		active:  r.Simulated && r.Warn != nil,
		stopped: clock.NewChan[struct{}](context.Background(), "the watchdog's end", 0),
		trials:  map[*guarded]struct{}{},
	}
}

func (d *watchdog) stop() { d.stopped.Close() }

// guard watches a trial until release is called.
func (d *watchdog) guard(ctx context.Context, t *Trial) (release func()) {
	if !d.active {
		return func() {}
	}
	g := &guarded{trial: t, steps: clock.Steps(ctx), step: -1}
	d.mu.Lock()
	d.trials[g] = struct{}{}
	d.mu.Unlock()
	return func() {
		d.mu.Lock()
		delete(d.trials, g)
		d.mu.Unlock()
	}
}

// watch checks twice in every period until stop. A trial that makes no progress between three
// checks is reported once.
func (d *watchdog) watch(ctx context.Context) error {
	for d.active {
		look, cancel := clock.WithTimeout(ctx, d.timeout/2)
		_, _, err := d.stopped.Recv(look)
		cancel()
		if err == nil || ctx.Err() != nil {
			return nil
		}
		for _, name := range d.stuckTrials() {
			d.warn(fmt.Sprintf("harness: trial %s has stood still for %v: it waits outside the simulated clock",
				name, d.timeout))
		}
	}
	return nil
}

func (d *watchdog) stuckTrials() (names []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for g := range d.trials {
		n := g.steps()
		if n != g.step {
			g.step, g.checks = n, 0
			continue
		}
		if g.checks++; g.checks == 2 {
			names = append(names, g.trial.Condition.Variant+"/"+g.trial.Case.ID)
		}
	}
	return names
}

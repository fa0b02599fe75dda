package eval

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"evalctl/agent/clock"
)

// watchdog reports simulated trials that are blocked. A trial whose simulated clock makes no
// progress for a long time waits for something outside its clock. The watchdog checks this in real
// time; it does not end the trial.
type watchdog struct {
	warn    func(string)
	timeout time.Duration
	active  bool
	stopped *clock.Chan[struct{}]

	mu     sync.Mutex
	trials map[*watchedTrial]struct{}
}

// watchedTrial is a trial that the watchdog observes.
type watchedTrial struct {
	trial  *Trial
	steps  func() int64
	step   int64 // step count of the simulated clock at the last check
	checks int   // number of consecutive checks without progress
}

func newWatchdog(r Runner) *watchdog {
	return &watchdog{
		warn:    r.Warn,
		timeout: cmp.Or(r.StallTimeout, 30*time.Second),
		active:  r.SimulatedClock && r.Warn != nil,
		stopped: clock.NewChan[struct{}](context.Background(), "the watchdog's end", 0),
		trials:  map[*watchedTrial]struct{}{},
	}
}

func (d *watchdog) stop() { d.stopped.Close() }

// guard registers a trial with the watchdog until release is called.
func (d *watchdog) guard(ctx context.Context, t *Trial) (release func()) {
	if !d.active {
		return func() {}
	}
	g := &watchedTrial{trial: t, steps: clock.StepCounter(ctx), step: -1}
	d.mu.Lock()
	d.trials[g] = struct{}{}
	d.mu.Unlock()
	return func() {
		d.mu.Lock()
		delete(d.trials, g)
		d.mu.Unlock()
	}
}

// watch checks all registered trials twice per timeout, until stop is called. A trial without
// progress in three consecutive checks is reported once.
func (d *watchdog) watch(ctx context.Context) error {
	for d.active {
		look, cancel := clock.WithTimeout(ctx, d.timeout/2)
		_, _, err := d.stopped.Recv(look)
		cancel()
		if err == nil || ctx.Err() != nil {
			return nil
		}
		for _, name := range d.stuckTrials() {
			d.warn(fmt.Sprintf("harness: trial %s has made no progress for %v: it waits outside the simulated clock",
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

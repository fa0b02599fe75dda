package play

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"evalctl/cmd/evalctl/exit"
	"evalctl/eval"
)

// verdict is the run's exit: incomplete beats a failed gate, which beats an undecided one.
// Gates are not asked of a shard, nor suites that have no case in it.
func (r *Run) verdict(ctx context.Context, sum eval.Summary, played error, o Options) error {
	switch {
	case interrupted(ctx, played):
		return &exit.Error{Code: exit.Interrupted, Err: fmt.Errorf("interrupted: continue with %s", r.again(o, nil))}
	case played != nil && !r.ownsFolder():
		return exit.InternalError(fmt.Errorf("run stopped: %w", played))
	case played != nil:
		return exit.InternalError(fmt.Errorf("run stopped: %w; continue with %s", played, r.again(o, played)))
	}
	if err := r.plan.replay.verdict(); err != nil {
		return exit.InternalError(err)
	}
	var first int64
	for _, s := range sum.Suites {
		here := r.plan.shard.CaseCount(first, s.Cases)
		if first += s.Cases; here == 0 {
			continue
		}
		for _, c := range s.Conditions {
			if err := r.outage.verdict(s.Name, c, o.MaxMissing); err != nil {
				return exit.InternalError(err)
			}
		}
	}
	return exitError(sum.Gates, o.FailUndecided)
}

// tooLittle says what a cell lacks for its figures to mean anything: answers,
// decisions to judge, unless an injected fault saw to that, for then what takes over
// was measured, or trials that the harness lost.
func tooLittle(suite string, c eval.ConditionSummary, why string) error {
	name := conditionKey{suite: suite, variant: c.Name, fault: c.Fault}
	demanded := c.Metrics[eval.FaultCorrectScore].N > 0 // an error may be what is to come of the fault
	if v := c.Metrics["missing.rate"].Value; !demanded && (v == nil || *v == 1) {
		return fmt.Errorf("%s: no answer in %d of %d trials%s", name, c.Trials, c.Trials, because(why))
	}
	if e := c.Metrics["route.accuracy"]; c.Fault == eval.NoFault && e.N == 0 && e.Missing > 0 {
		return fmt.Errorf("%s: no decision of %d could be scored%s", name, e.Missing, because(why))
	}
	if v := c.Metrics["errors.harness"].Value; v != nil && *v > 0 {
		return fmt.Errorf("%s: evalctl itself failed in %v trials", name, *v)
	}
	return nil
}

// interrupted tells an interruption from a failure.
func interrupted(ctx context.Context, err error) bool {
	return ctx.Err() != nil && errors.Is(err, context.Canceled)
}

// workers is how many trials run at once.
func (o Options) workers(simulated bool) int {
	switch {
	case o.Parallel > 0:
		return o.Parallel
	case simulated:
		return runtime.GOMAXPROCS(0)
	default:
		return 16
	}
}

// losses is how many in a row end a run. Failures are faster than answers: those
// of all trials that run at once may come before the first of their answers. A
// resumed run that may lose all that is left of it is not ended.
func (r *Run) losses(o Options, parallel int) int {
	total, done := r.plan.total(), int64(len(r.done))
	if o.Breaker == 0 || done > 0 && float64(total-done) <= o.MaxMissing*float64(total) {
		return 0
	}
	return max(o.Breaker, parallel)
}

// again is the command that resumes the run, with a higher budget where one is used up. It has
// --trust only where the user has given it: that is for the user to decide.
func (r *Run) again(o Options, played error) string {
	text := "evalctl run --resume " + quoted(r.Dir)
	if o.Fleet != nil {
		text += " --broker " + o.Fleet.Conn.Host()
	}
	if flag := map[string]string{recorded: " --record ", replayed: " --replay "}[r.plan.tape]; flag != "" {
		text += flag + quoted(r.plan.cassette)
	}
	if own := r.plan.ownPrices; own != nil {
		text += " --prices " + quoted(own.Path)
	}
	if spent, ok := errors.AsType[usedUp](played); ok {
		text += spent.more
	}
	switch {
	case o.NeedsTrust == "":
		return text
	case o.Trusted:
		return text + " --trust"
	}
	return text + " (it " + o.NeedsTrust + ". To allow this, add --trust)"
}

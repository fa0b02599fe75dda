package play

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"

	"evalctl/agent/system"
	"evalctl/cmd/evalctl/exit"
	"evalctl/eval"
	"evalctl/eval/suite"
)

// verdict returns the error that evalctl exits with after a run, or nil. An incomplete run has
// priority over a failed gate, and a failed gate over an undecided one. It does not check a suite
// that has no cases in this shard.
func (r *Run) verdict(ctx context.Context, sum eval.Summary, runErr error, o Options) error {
	switch {
	case interrupted(ctx, runErr):
		return &exit.Error{Code: exit.Interrupted,
			Err: fmt.Errorf("interrupted: continue with %s", r.resumeCommand(o, nil))}
	case runErr != nil && !r.ownsFolder():
		return exit.InternalError(fmt.Errorf("run stopped: %w", runErr))
	case runErr != nil:
		return exit.InternalError(fmt.Errorf("run stopped: %w; continue with %s", runErr, r.resumeCommand(o, runErr)))
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
			if err := r.health.verdict(s.Name, c, o.MaxMissing); err != nil {
				return exit.InternalError(err)
			}
		}
	}
	return exitError(sum.Gates, o.Strict)
}

// tooLittleData returns an error if a condition has too little data for its metrics:
//
//   - no trial has an answer, and the expected outcome of the fault is not an error
//   - no decision could be scored, and no fault was injected
//   - evalctl itself failed in some trials
func tooLittleData(suite string, c eval.ConditionSummary, why string) error {
	name := conditionKey{suite: suite, variant: c.Variant, fault: c.Fault}
	demanded := c.Metrics[eval.FaultCorrectScore].N > 0 // the expected outcome of the fault may be no answer
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

// interrupted reports whether err was caused by the cancellation of ctx, for example by Ctrl-C.
func interrupted(ctx context.Context, err error) bool {
	return ctx.Err() != nil && errors.Is(err, context.Canceled)
}

// Default numbers of trials that run at once in real time.
const (
	defaultParallel  = 16
	externalParallel = 4 // for external agents, which often run on a small server or on this machine
)

// DefaultParallel returns the number of trials that run at once in real time, unless the user sets
// it. It is lower if a suite evaluates an external agent.
func DefaultParallel(suites []suite.Suite) int {
	for _, s := range suites {
		if slices.ContainsFunc(s.Systems(), system.System.IsExternal) {
			return externalParallel
		}
	}
	return defaultParallel
}

// parallel returns the number of trials that run at once.
func (p *Plan) parallel(o Options) int {
	switch {
	case o.Parallel > 0:
		return o.Parallel
	case p.simulated:
		return runtime.GOMAXPROCS(0)
	}
	return DefaultParallel(p.suiteList())
}

// breakerLimit returns the number of consecutive unanswered trials after which an endpoint is no
// longer called; 0: no limit. It is at least parallel, because all parallel trials may fail before
// the first answer arrives. It is 0 if MaxMissing allows all remaining trials of a resumed run to
// be unanswered.
func (r *Run) breakerLimit(o Options, parallel int) int {
	total, done := r.plan.totalOfShard(), int64(len(r.done))
	if o.MaxConsecutiveFailures == 0 || done > 0 && float64(total-done) <= o.MaxMissing*float64(total) {
		return 0
	}
	return max(o.MaxConsecutiveFailures, parallel)
}

// resumeCommand returns the command line that resumes the run. If a budget is used up, it contains
// a higher one. It contains --trust only if the user has set it, because that is the user's
// decision.
func (r *Run) resumeCommand(o Options, runErr error) string {
	text := "evalctl run --resume " + shellQuoted(r.Dir)
	if o.Fleet != nil {
		text += " --broker " + o.Fleet.Conn.Host()
	}
	if flag := map[string]string{recorded: " --record ", replayed: " --replay "}[r.plan.cassetteMode]; flag != "" {
		text += flag + shellQuoted(r.plan.cassette)
	}
	if own := r.plan.ownPrices; own != nil {
		text += " --prices " + shellQuoted(own.Path)
	}
	if spent, ok := errors.AsType[budgetError](runErr); ok {
		text += spent.resumeFlags
	}
	switch {
	case o.TrustReason == "":
		return text
	case o.Trusted:
		return text + " --trust"
	}
	return text + " (it " + o.TrustReason + ". To allow this, add --trust)"
}

package play

import (
	"context"
	"fmt"
	"time"

	"evalctl/agent/clock"
	"evalctl/agent/limit"
	"evalctl/eval"
	"evalctl/eval/journal"
)

// Budget limits what a run spends.
type Budget = journal.Budget

// stopGrace is how long trials in progress may run after the time budget is used up.
const stopGrace = 30 * time.Second

// spend counts what a run has spent.
type spend struct {
	started      time.Time      // start of this part of the run
	recorded     *journal.Spent // spent in earlier parts, as the manifest records it
	wasKilled    bool           // the previous part was killed, so the manifest may be incomplete
	recordsCalls bool           // the manifest records the calls of a killed part
	fromResults  journal.Spent  // the sum over the stored results
	before       journal.Spent
	nanos        int64
	ran, total   int64 // in trials
}

// addStored adds a result of an earlier part of the run.
func (p *spend) addStored(r eval.Result) {
	p.fromResults.Calls += r.Calls + r.ExternalRequests
	if r.Cost != nil {
		p.fromResults.USD += *r.Cost
	}
}

// open starts this part of the run, which has this many trials.
func (p *spend) open(trials int64) {
	p.started, p.total = time.Now(), trials
	if p.recorded != nil {
		p.before = *p.recorded
	}
	if p.wasKilled || p.recorded == nil {
		p.before.Calls, p.before.USD = max(p.before.Calls, p.fromResults.Calls), max(p.before.USD, p.fromResults.USD)
	}
}

// spent returns the total until now. requests are the requests of this part.
func (p *spend) spent(requests int64) journal.Spent {
	return journal.Spent{
		RateLimited: p.before.RateLimited,
		Calls:       p.before.Calls + requests,
		USD:         p.before.USD + float64(p.nanos)/1e9,
		Seconds:     p.before.Seconds + time.Since(p.started).Seconds(),
	}
}

// budgetError reports a used-up budget. The run can be resumed.
type budgetError struct {
	error
	resumeFlags string // flags for the resume command
}

func newBudgetError(flag, most, more, spent string) error {
	return budgetError{fmt.Errorf("the budget of --%s %s is used up (%s): give a higher one", flag, most, spent),
		fmt.Sprintf(" --%s %s", flag, more)}
}

// spentAfter returns what the run has spent once it has sent this many calls in all its parts.
func (p *spend) spentAfter(calls int64) journal.Spent {
	all := p.before
	all.Calls, all.Seconds = calls, all.Seconds+time.Since(p.started).Seconds()
	return all
}

// inexactBudgets describes where the budget of a killed run is inexact: spending that was not
// recorded, and recorded calls that may not have been sent.
func (p *spend) inexactBudgets(b Budget) (list []string) {
	if !p.wasKilled {
		return nil
	}
	switch {
	case b.Calls > 0 && !p.recordsCalls:
		list = append(list, "--max-requests does not know the calls of trials that were under way")
	case b.Calls > 0 && p.recorded != nil && p.recorded.Calls > p.fromResults.Calls:
		list = append(list, fmt.Sprintf(
			"--max-requests counts %d calls that are in no result: sent again, of trials that were under way, or not sent any more", p.recorded.Calls-p.fromResults.Calls))
	}
	if b.Cost > 0 {
		list = append(list, "--max-cost does not know what trials that were under way have cost")
	}
	if b.Time > 0 {
		list = append(list, "--max-time does not know how long it ran last")
	}
	return list
}

// guard stops new trials when a budget is used up. It calls stop if the trials in progress then
// take longer than patience.
func (p *spend) guard(ctx context.Context, b Budget, limits *limit.RateLimits, a *requestBudget,
	note func(journal.Spent) error, stop func(error)) (end func()) {
	if b.Calls > 0 {
		a.setLimit(b.Calls, min(p.before.Calls, b.Calls), func(calls int64) error { return note(p.spentAfter(calls)) })
		limits.SetRequestBudget(max(b.Calls-p.before.Calls, 0))
	}
	if b.Cost > 0 && p.before.USD >= b.Cost {
		a.close(p.costError(b))
	}
	if b.Time <= 0 {
		return func() {}
	}
	left := b.Time - time.Duration(p.before.Seconds*float64(time.Second))
	why := newBudgetError("max-time", b.Time.String(), (2 * b.Time).String(), "by the wall clock")
	first := clock.AfterFunc(ctx, left, func() { a.close(why) })
	last := clock.AfterFunc(ctx, max(left, 0)+stopGrace, func() { stop(why) })
	return func() { first(); last() }
}

func (p *spend) costError(b Budget) error {
	return newBudgetError("max-cost", fmt.Sprintf("%v", b.Cost), fmt.Sprintf("%v", 2*b.Cost),
		fmt.Sprintf("%.4g US dollars", p.spent(0).USD))
}

// addCost adds the cost of a result of this part. isReal selects the nodes that cost money. An
// error ends the run: the budget is used up, or the cost is unknown.
func (p *spend) addCost(res eval.Result, b Budget, prices eval.PriceFunc, isReal func(node string) bool) error {
	nanos, known := prices.Cost(res, isReal)
	p.nanos += nanos
	switch {
	case b.Cost == 0:
		return nil
	case !known:
		return budgetError{error: fmt.Errorf(
			"--max-cost: what case %s cost is not known: a real endpoint did not count its tokens", res.Case)}
	case p.spent(0).USD >= b.Cost:
		return p.costError(b)
	}
	return nil
}

// isComplete reports whether all trials have run.
func (p *spend) isComplete() bool { return p.ran >= p.total }

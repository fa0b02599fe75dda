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

// Budget contains the limits of a run: requests, US dollars and time. The limits include what
// earlier processes of a resumed run have spent.
type Budget = journal.Budget

// stopGrace is how long trials in progress may continue after the time budget is used up. Then they
// are canceled.
const stopGrace = 30 * time.Second

// spend counts what a run has spent, in this process and in earlier processes of a resumed run.
type spend struct {
	started      time.Time         // start of this process's trials
	recorded     *journal.Spending // what earlier processes spent, according to the manifest; nil: not recorded
	wasKilled    bool              // the previous process was killed, so the manifest may lack some of its spending
	recordsCalls bool              // the manifest contains the number of calls, even those of a killed process
	fromResults  journal.Spending  // sum over the stored results of earlier processes
	spentBefore  journal.Spending
	costNanos    int64
	ran, total   int64 // trials that have run in this process, and trials to run
}

func (p *spend) addStored(r eval.Result) {
	p.fromResults.Calls += r.Calls + r.ExternalRequests
	if r.Cost != nil {
		p.fromResults.USD += *r.Cost
	}
}

// startProcess starts the clock of this process. trials is the number of trials that it has to run.
// startProcess also computes what earlier processes have spent. After a kill, it takes the higher
// of the manifest's amount and the sum over the results.
func (p *spend) startProcess(trials int64) {
	p.started, p.total = time.Now(), trials
	if p.recorded != nil {
		p.spentBefore = *p.recorded
	}
	if p.wasKilled || p.recorded == nil {
		p.spentBefore.Calls, p.spentBefore.USD = max(p.spentBefore.Calls, p.fromResults.Calls),
			max(p.spentBefore.USD, p.fromResults.USD)
	}
}

// spent returns what the run has spent until now. requests counts those of this process.
func (p *spend) spent(requests int64) journal.Spending {
	return journal.Spending{
		RateLimitedRequests: p.spentBefore.RateLimitedRequests,
		Calls:               p.spentBefore.Calls + requests,
		USD:                 p.spentBefore.USD + float64(p.costNanos)/1e9,
		Seconds:             p.spentBefore.Seconds + time.Since(p.started).Seconds(),
	}
}

// budgetError ends a run because a budget is used up. The run can be resumed with a higher one.
type budgetError struct {
	error
	resumeFlags string // flags that set a higher budget, for the resume command
}

func newBudgetError(flag, most, more, spent string) error {
	return budgetError{fmt.Errorf("the budget of --%s %s is used up (%s): give a higher one", flag, most, spent),
		fmt.Sprintf(" --%s %s", flag, more)}
}

// spentAfter returns what the run has spent in total, given its total number of calls.
func (p *spend) spentAfter(calls int64) journal.Spending {
	all := p.spentBefore
	all.Calls, all.Seconds = calls, all.Seconds+time.Since(p.started).Seconds()
	return all
}

// inexactBudgets describes the budgets whose spending is inexact because the previous process was
// killed. Some spending may be unrecorded, and some recorded calls may never have been sent.
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
	if b.USD > 0 {
		list = append(list, "--max-cost does not know what trials that were under way have cost")
	}
	if b.Time > 0 {
		list = append(list, "--max-time does not know how long it ran last")
	}
	return list
}

// enforce enforces the budget: it stops new trials when a limit is reached. When stopGrace has
// passed after the time limit, it calls stop to cancel the trials in progress. note records
// spending in the manifest. Call end to release the timers.
func (p *spend) enforce(ctx context.Context, b Budget, limits *limit.Limiter, a *requestBudget,
	note func(journal.Spending) error, stop func(error)) (end func()) {
	if b.Calls > 0 {
		a.setLimit(b.Calls, min(p.spentBefore.Calls, b.Calls),
			func(calls int64) error { return note(p.spentAfter(calls)) })
		limits.SetRequestBudget(max(b.Calls-p.spentBefore.Calls, 0))
	}
	if b.USD > 0 && p.spentBefore.USD >= b.USD {
		a.close(p.costError(b))
	}
	if b.Time <= 0 {
		return func() {}
	}
	left := b.Time - time.Duration(p.spentBefore.Seconds*float64(time.Second))
	why := newBudgetError("max-time", b.Time.String(), (2 * b.Time).String(), "by the wall clock")
	first := clock.AfterFunc(ctx, left, func() { a.close(why) })
	last := clock.AfterFunc(ctx, max(left, 0)+stopGrace, func() { stop(why) })
	return func() { first(); last() }
}

func (p *spend) costError(b Budget) error {
	return newBudgetError("max-cost", fmt.Sprintf("%v", b.USD), fmt.Sprintf("%v", 2*b.USD),
		fmt.Sprintf("%.4g US dollars", p.spent(0).USD))
}

// addCost adds the cost of a result of this process. isReal reports whether a component calls a
// real endpoint, which costs money. It returns an error if the cost budget is used up, or if a cost
// is unknown.
func (p *spend) addCost(res eval.Result, b Budget, prices eval.PriceFunc, isReal func(node string) bool) error {
	nanos, known := prices.Cost(res, isReal)
	p.costNanos += nanos
	switch {
	case b.USD == 0:
		return nil
	case !known:
		return budgetError{error: fmt.Errorf(
			"--max-cost: what case %s cost is not known: a real endpoint did not count its tokens", res.Case)}
	case p.spent(0).USD >= b.USD:
		return p.costError(b)
	}
	return nil
}

func (p *spend) isComplete() bool { return p.ran >= p.total }

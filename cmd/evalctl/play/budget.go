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

// Budget bounds what a run spends.
type Budget = journal.Budget

// patience is how long trials under way may take still once a budget of time is used up.
const patience = 30 * time.Second

// spend is what a run has spent.
type spend struct {
	began         time.Time      // of this part of it
	kept          *journal.Spent // by the manifest, of the parts before it
	killed        bool           // the last of them was, before it could tell all
	noted         bool           // but for its calls
	rows          journal.Spent  // as far as results tell
	before        journal.Spent
	nanos         int64
	played, total int64 // trials
}

// take counts a result of an earlier part of the run.
func (p *spend) take(r eval.Result) {
	p.rows.Calls += r.Calls + r.ExternalRequests
	if r.Cost != nil {
		p.rows.USD += *r.Cost
	}
}

// open begins this part of the run, of so many trials.
func (p *spend) open(trials int64) {
	p.began, p.total = time.Now(), trials
	if p.kept != nil {
		p.before = *p.kept
	}
	if p.killed || p.kept == nil {
		p.before.Calls, p.before.USD = max(p.before.Calls, p.rows.Calls), max(p.before.USD, p.rows.USD)
	}
}

// spent is all until now, with so many requests of this part.
func (p *spend) spent(requests int64) journal.Spent {
	return journal.Spent{RateLimited: p.before.RateLimited, Calls: p.before.Calls + requests, USD: p.before.USD + float64(p.nanos)/1e9,
		Seconds: p.before.Seconds + time.Since(p.began).Seconds()}
}

// usedUp is why a run is stopped before its end; it can be resumed.
type usedUp struct {
	error
	more string // flags to resume it with
}

func usedUpOf(flag, most, more, spent string) error {
	return usedUp{fmt.Errorf("the budget of --%s %s is used up (%s): give a higher one", flag, most, spent), fmt.Sprintf(" --%s %s", flag, more)}
}

// ahead is what is spent once so many calls were sent, all parts of the run together.
func (p *spend) ahead(calls int64) journal.Spent {
	all := p.before
	all.Calls, all.Seconds = calls, all.Seconds+time.Since(p.began).Seconds()
	return all
}

// lost says what a budget does not know of a part of the run that was killed, or counts of
// it that may not have been spent.
func (p *spend) lost(b Budget) (list []string) {
	if !p.killed {
		return nil
	}
	switch {
	case b.Calls > 0 && !p.noted:
		list = append(list, "--max-requests does not know the calls of trials that were under way")
	case b.Calls > 0 && p.kept != nil && p.kept.Calls > p.rows.Calls:
		list = append(list, fmt.Sprintf("--max-requests counts %d calls that are in no result: sent again, of trials that were under way, or not sent any more", p.kept.Calls-p.rows.Calls))
	}
	if b.Cost > 0 {
		list = append(list, "--max-cost does not know what trials that were under way have cost")
	}
	if b.Time > 0 {
		list = append(list, "--max-time does not know how long it ran last")
	}
	return list
}

// guard has no more trials begin once a budget is used up, and stop called where those
// under way then take too long.
func (p *spend) guard(ctx context.Context, b Budget, limits *limit.RateLimits, a *requestBudget, note func(journal.Spent) error, stop func(error)) (end func()) {
	if b.Calls > 0 {
		a.bound(b.Calls, min(p.before.Calls, b.Calls), func(calls int64) error { return note(p.ahead(calls)) })
		limits.SetRequestBudget(max(b.Calls-p.before.Calls, 0))
	}
	if b.Cost > 0 && p.before.USD >= b.Cost {
		a.close(p.dear(b))
	}
	if b.Time <= 0 {
		return func() {}
	}
	left := b.Time - time.Duration(p.before.Seconds*float64(time.Second))
	why := usedUpOf("max-time", b.Time.String(), (2 * b.Time).String(), "by the wall clock")
	first := clock.AfterFunc(ctx, left, func() { a.close(why) })
	last := clock.AfterFunc(ctx, max(left, 0)+patience, func() { stop(why) })
	return func() { first(); last() }
}

func (p *spend) dear(b Budget) error {
	return usedUpOf("max-cost", fmt.Sprintf("%v", b.Cost), fmt.Sprintf("%v", 2*b.Cost), fmt.Sprintf("%.4g US dollars", p.spent(0).USD))
}

// pay counts what a result of this part cost, by the nodes of what is real. Its error ends
// the run: there is no more to spend, or nobody knows.
func (p *spend) pay(res eval.Result, b Budget, prices eval.Prices, isReal func(node string) bool) error {
	nanos, known := prices.Cost(res, isReal)
	p.nanos += nanos
	switch {
	case b.Cost == 0:
		return nil
	case !known:
		return usedUp{error: fmt.Errorf("--max-cost: what case %s cost is not known: a real endpoint did not count its tokens", res.Case)}
	case p.spent(0).USD >= b.Cost:
		return p.dear(b)
	}
	return nil
}

// isWhole tells that nothing is left to play.
func (p *spend) isWhole() bool { return p.played >= p.total }

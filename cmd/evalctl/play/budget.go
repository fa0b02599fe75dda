package play

import (
	"context"
	"errors"
	"fmt"
	"time"

	"evalctl/agent/clock"
	"evalctl/eval"
	"evalctl/eval/journal"
)

// Budget bounds what a run spends on real endpoints, earlier parts of it included; 0: it
// does not.
type Budget struct {
	Cost  float64       // US dollars, of the trials that ended; those under way end, too
	Time  time.Duration // by the wall clock
	Calls int64         // requests that go out, those that are sent again included
}

// purse is what a run has spent.
type purse struct {
	began         time.Time      // of this part of it
	kept          *journal.Spent // by the manifest, of the parts before it
	killed        bool           // the last of them was, before it could tell
	rows          journal.Spent  // as far as results tell
	before        journal.Spent
	nanos         int64
	played, total int64 // trials
}

// take counts a result of an earlier part of the run.
func (p *purse) take(r eval.Result) {
	p.rows.Calls += r.Calls
	if r.Cost != nil {
		p.rows.Dollars += *r.Cost
	}
}

// open begins this part of the run, of so many trials.
func (p *purse) open(trials int64) {
	p.began, p.total = time.Now(), trials
	if p.kept != nil {
		p.before = *p.kept
	}
	if p.killed || p.kept == nil {
		p.before.Calls, p.before.Dollars = max(p.before.Calls, p.rows.Calls), max(p.before.Dollars, p.rows.Dollars)
	}
}

// spent is all until now, with so many requests of this part.
func (p *purse) spent(requests int64) journal.Spent {
	return journal.Spent{Calls: p.before.Calls + requests, Dollars: p.before.Dollars + float64(p.nanos)/1e9,
		Seconds: p.before.Seconds + time.Since(p.began).Seconds()}
}

// usedUp is why a run is stopped before its end, to be gone on with.
type usedUp struct{ error }

func usedUpOf(flag, most, spent string) error {
	return usedUp{fmt.Errorf("the budget of --%s %s is used up (%s): give a higher one", flag, most, spent)}
}

// guard has stop called once the budget of time or of calls is used up.
func (r *Run) guard(ctx context.Context, stop func(error)) (end func()) {
	b := r.plan.budget
	if b.Calls > 0 {
		r.plan.limits.Bound(max(b.Calls-r.purse.before.Calls, 0), func() {
			stop(usedUpOf("max-calls", fmt.Sprint(b.Calls), fmt.Sprintf("%d requests", b.Calls)))
		})
	}
	if b.Cost > 0 && r.purse.before.Dollars >= b.Cost {
		stop(r.dear())
	}
	if b.Time <= 0 {
		return func() {}
	}
	left := b.Time - time.Duration(r.purse.before.Seconds*float64(time.Second))
	timer := clock.AfterFunc(ctx, left, func() { stop(usedUpOf("max-time", b.Time.String(), "by the wall clock")) })
	return func() { timer() }
}

func (r *Run) dear() error {
	return usedUpOf("max-cost", fmt.Sprintf("%v", r.plan.budget.Cost), fmt.Sprintf("%.4g US dollars", r.purse.spent(0).Dollars))
}

// pay counts what a result of this part cost. Its error ends the run: there is no more to
// spend, or nobody knows.
func (r *Run) pay(res eval.Result) error {
	b, nodes := r.plan.budget, r.outage.parts(res)
	if len(nodes) == 0 {
		return nil
	}
	nanos, known := r.plan.prices(res.Suite).Spent(res, func(node string) bool { _, real := nodes[node]; return real })
	r.purse.nanos += nanos
	switch {
	case b.Cost == 0:
		return nil
	case !known:
		return usedUp{fmt.Errorf("--max-cost: what case %s cost is not known: a real endpoint did not count its tokens", res.Case)}
	case r.purse.spent(0).Dollars >= b.Cost:
		return r.dear()
	}
	return nil
}

// isWhole tells that nothing is left to play.
func (p *purse) isWhole() bool { return p.played >= p.total }

// stoppedBy is why the run stopped itself, nil where it did not.
func stoppedBy(ctx context.Context) error {
	cause := context.Cause(ctx)
	var spent usedUp
	var lost gaveUp
	if errors.As(cause, &spent) || errors.As(cause, &lost) {
		return cause
	}
	return nil
}

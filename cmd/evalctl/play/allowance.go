package play

import (
	"errors"
	"fmt"
	"math"
	"net/http"
	"sync"

	"evalctl/agent/limit"
	"evalctl/eval"
)

// requestBudget starts a trial only while the remaining calls cover it and the trials in progress.
// When the budget is used up, no trial starts, but trials in progress finish. It is safe for
// concurrent use.
type requestBudget struct {
	mu     sync.Mutex
	ended  *sync.Cond                        // signaled when a trial ends
	over   error                             // why no more trials start; nil: they do
	stop   func(error)                       // ends trials that run on workers; nil: there are none
	most   int64                             // limit of calls; 0: none
	sent   int64                             // calls so far
	before int64                             // calls of earlier parts of the run; included in sent
	noted  int64                             // calls that are recorded as sent
	note   func(int64) error                 // records a number of calls, in case the run is killed
	open   map[string]*inProgress            // trials in progress, by key
	cut    map[string]struct{}               // keys of trials with a call that was not sent
	trials int64                             // trials that have ended
	habits map[*eval.Condition]callsPerTrial // of the ended trials
}

// inProgress is a trial that has not ended.
type inProgress struct {
	condition   *eval.Condition
	turns, sent int64
}

// callsPerTrial counts the calls of the ended trials of a condition. Some trials make no call, and
// long conversations make more than short ones.
type callsPerTrial struct {
	turns, calls int64
	most         float64 // calls per turn in the most expensive trial
}

// defaultValue is the number of calls that a trial with this many turns probably needs: the
// average, rounded. highest is the number that it may need.
func (h callsPerTrial) defaultValue(turns int64) int64 {
	return max(1, (2*h.calls*turns+h.turns)/max(2*h.turns, 1))
}

func (h callsPerTrial) highest(turns int64) int64 {
	return max(1, int64(math.Ceil(h.most*float64(turns))))
}

func newAllowance() *requestBudget {
	a := &requestBudget{open: map[string]*inProgress{}, cut: map[string]struct{}{}, habits: map[*eval.Condition]callsPerTrial{}}
	a.ended = sync.NewCond(&a.mu)
	return a
}

// bound sets the limit of calls and the calls that were sent before.
func (a *requestBudget) bound(most, sent int64, note func(int64) error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.most, a.sent, a.before, a.noted, a.note = most, sent, sent, sent, note
}

// noteAhead sets how far ahead calls are recorded: most/noteAhead calls are recorded as sent before
// they are. A resumed run therefore never exceeds its budget, and a kill costs at most this share
// of it.
const noteAhead = 64

// begin waits until a trial may start. It returns false when no more trials start.
func (a *requestBudget) begin(t eval.Trial) (end func(), ok bool) {
	key := t.Key()
	a.mu.Lock()
	defer a.mu.Unlock()
	u := &inProgress{condition: t.Condition, turns: int64(max(len(t.Case.Turns), 1))}
	for a.over == nil && len(a.open) > 0 && !a.lasts(u) {
		a.ended.Wait()
	}
	if a.over == nil && !a.lasts(u) {
		a.over = a.tooMany()
	}
	if a.over != nil {
		return nil, false
	}
	a.open[key] = u
	return func() { a.end(key) }, true
}

// lasts reports whether the remaining calls cover one more trial. The first trial of a condition
// runs alone, because its number of calls is unknown. A trial that runs alone is estimated at the
// average of its condition. A trial that runs in parallel is estimated at the maximum.
func (a *requestBudget) lasts(one *inProgress) bool {
	if a.most == 0 {
		return true
	}
	left := a.most - a.sent
	h, known := a.habits[one.condition]
	if len(a.open) == 0 {
		return left >= h.defaultValue(one.turns)
	}
	for _, u := range a.open {
		left -= max(a.habits[u.condition].highest(u.turns)-u.sent, 0)
	}
	return known && left >= h.highest(one.turns)
}

func (a *requestBudget) end(key string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	u := a.open[key]
	delete(a.open, key)
	h := a.habits[u.condition]
	a.habits[u.condition] = callsPerTrial{h.turns + u.turns, h.calls + u.sent, max(h.most, float64(u.sent)/float64(u.turns))}
	a.trials++
	a.ended.Broadcast()
}

// close stops new trials from starting.
func (a *requestBudget) close(why error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.over == nil {
		a.over = why
	}
	if a.stop != nil {
		a.stop(why)
	}
	a.ended.Broadcast()
}

// closed returns why no more trials start, or nil if they do.
func (a *requestBudget) closed() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.over
}

// lacks reports whether a call of the trial was not sent. The result of such a trial is not valid.
func (a *requestBudget) lacks(key string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	_, ok := a.cut[key]
	return ok
}

func (a *requestBudget) count(key string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.sent++; a.note != nil && a.sent > a.noted {
		a.noted = min(a.sent+a.most/noteAhead, a.most)
		if err := a.note(a.noted); err != nil && a.over == nil {
			a.over = err
		}
	}
	if u, ok := a.open[key]; ok {
		u.sent++
	}
}

func (a *requestBudget) miss(key string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.cut[key] = struct{}{}
	if a.over == nil {
		a.over = a.tooMany()
	}
}

// counted counts the requests that a trial really sends.
type counted struct {
	http.RoundTripper
	key string
	by  *requestBudget
}

func (c counted) RoundTrip(req *http.Request) (*http.Response, error) {
	c.by.count(c.key)
	return c.RoundTripper.RoundTrip(req)
}

// missed records the trials whose requests exceed the budget.
type missed counted

func (m missed) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := m.RoundTripper.RoundTrip(req)
	if errors.Is(err, limit.ErrRequestBudget) {
		m.by.miss(m.key)
	}
	return resp, err
}

// tooMany returns the error for a used-up budget.
func (a *requestBudget) tooMany() error {
	more := "what was sent again included"
	if a.trials == 0 {
		more += fmt.Sprintf("; no trial has ended with the %d that were left", a.most-a.before)
	}
	return usedUpOf("max-requests", fmt.Sprint(a.most), fmt.Sprint(2*a.most), more)
}

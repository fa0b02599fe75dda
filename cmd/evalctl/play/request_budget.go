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

// requestBudget implements --max-requests. A trial starts only if the remaining calls are enough
// for it and for the trials in progress. When the budget is used up, no trial starts, but trials in
// progress finish. It is safe for concurrent use.
type requestBudget struct {
	mu         sync.Mutex
	trialEnded *sync.Cond  // signaled when a trial ends
	stopReason error       // why no more trials may start; nil: they may
	stop       func(error) // stops trials that run on workers; nil: no workers
	limit      int64       // maximum number of calls; 0: no limit
	sent       int64       // calls sent so far
	// calls that earlier processes of a resumed run sent; included in sent
	sentBefore int64
	recorded   int64 // number of calls that the manifest records as sent
	// records a number of calls in the manifest, so that it is known if the run is killed
	record      func(int64) error
	active      map[string]*inProgress            // trials in progress, by key
	incomplete  map[string]struct{}               // keys of trials with a call that was not sent because of the budget
	endedTrials int64                             // number of trials that have ended
	callStats   map[*eval.Condition]callsPerTrial // calls of ended trials, by condition
}

type inProgress struct {
	condition   *eval.Condition
	turns, sent int64
}

// callsPerTrial counts the calls of a condition's ended trials, to predict how many calls the next
// trial needs. The counts are per turn, because long conversations make more calls.
type callsPerTrial struct {
	turns, calls int64
	maxPerTurn   float64 // calls per turn in the trial that made the most
}

// expected predicts the number of calls of a trial: the average of the condition, at least 1.
func (h callsPerTrial) expected(turns int64) int64 {
	return max(1, (2*h.calls*turns+h.turns)/max(2*h.turns, 1))
}

func (h callsPerTrial) highest(turns int64) int64 {
	return max(1, int64(math.Ceil(h.maxPerTurn*float64(turns))))
}

func newRequestBudget() *requestBudget {
	a := &requestBudget{active: map[string]*inProgress{}, incomplete: map[string]struct{}{},
		callStats: map[*eval.Condition]callsPerTrial{}}
	a.trialEnded = sync.NewCond(&a.mu)
	return a
}

// setLimit sets the maximum number of calls (most), and how many of them earlier processes have
// sent. note records a number of calls in the manifest.
func (a *requestBudget) setLimit(most, sent int64, note func(int64) error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.limit = most
	a.sent = sent
	a.sentBefore = sent
	a.recorded = sent
	a.record = note
}

// recordAhead sets how many calls are recorded before they are sent: limit/recordAhead. Therefore a
// run that was killed and resumed never exceeds its budget. It loses at most this share of the
// budget.
const recordAhead = 64

// begin waits until the budget allows the trial to start. ok is false if no more trials may start.
// Call end when the trial has ended.
func (a *requestBudget) begin(t eval.Trial) (end func(), ok bool) {
	key := t.Key()
	a.mu.Lock()
	defer a.mu.Unlock()
	u := &inProgress{condition: t.Condition, turns: int64(max(len(t.Case.Turns), 1))}
	for a.stopReason == nil && len(a.active) > 0 && !a.covers(u) {
		a.trialEnded.Wait()
	}
	if a.stopReason == nil && !a.covers(u) {
		a.stopReason = a.limitError()
	}
	if a.stopReason != nil {
		return nil, false
	}
	a.active[key] = u
	return func() { a.end(key) }, true
}

// covers reports whether the remaining calls are enough for one more trial. The first trial of a
// condition runs alone, because its number of calls is unknown. A trial that runs alone is expected
// to make the average number of calls, a parallel trial the maximum.
func (a *requestBudget) covers(one *inProgress) bool {
	if a.limit == 0 {
		return true
	}
	left := a.limit - a.sent
	h, known := a.callStats[one.condition]
	if len(a.active) == 0 {
		return left >= h.expected(one.turns)
	}
	for _, u := range a.active {
		left -= max(a.callStats[u.condition].highest(u.turns)-u.sent, 0)
	}
	return known && left >= h.highest(one.turns)
}

func (a *requestBudget) end(key string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	u := a.active[key]
	delete(a.active, key)
	h := a.callStats[u.condition]
	a.callStats[u.condition] = callsPerTrial{h.turns + u.turns, h.calls + u.sent,
		max(h.maxPerTurn, float64(u.sent)/float64(u.turns))}
	a.endedTrials++
	a.trialEnded.Broadcast()
}

// close prevents new trials from starting. why is the reason.
func (a *requestBudget) close(why error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.stopReason == nil {
		a.stopReason = why
	}
	if a.stop != nil {
		a.stop(why)
	}
	a.trialEnded.Broadcast()
}

// stopped returns the reason why no more trials may start, or nil if they may.
func (a *requestBudget) stopped() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.stopReason
}

// isIncomplete reports whether the budget prevented a call of the trial, so that its result is
// invalid.
func (a *requestBudget) isIncomplete(key string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	_, ok := a.incomplete[key]
	return ok
}

func (a *requestBudget) count(key string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.sent++; a.record != nil && a.sent > a.recorded {
		a.recorded = min(a.sent+a.limit/recordAhead, a.limit)
		if err := a.record(a.recorded); err != nil && a.stopReason == nil {
			a.stopReason = err
		}
	}
	if u, ok := a.active[key]; ok {
		u.sent++
	}
}

func (a *requestBudget) markIncomplete(key string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.incomplete[key] = struct{}{}
	if a.stopReason == nil {
		a.stopReason = a.limitError()
	}
}

// countingTransport counts the requests of a trial that are sent to the endpoint.
type countingTransport struct {
	http.RoundTripper
	key    string
	budget *requestBudget
}

func (c countingTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	c.budget.count(c.key)
	return c.RoundTripper.RoundTrip(req)
}

// budgetTransport marks a trial as incomplete if the budget prevents a request.
type budgetTransport countingTransport

func (m budgetTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := m.RoundTripper.RoundTrip(req)
	if errors.Is(err, limit.ErrRequestBudget) {
		m.budget.markIncomplete(m.key)
	}
	return resp, err
}

func (a *requestBudget) limitError() error {
	more := "what was sent again included"
	if a.endedTrials == 0 {
		more += fmt.Sprintf("; no trial has ended with the %d that were left", a.limit-a.sentBefore)
	}
	return newBudgetError("max-requests", fmt.Sprint(a.limit), fmt.Sprint(2*a.limit), more)
}

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

// requestBudget has a trial begin while what is left of a budget lasts for it and for those
// under way; then these end, for their answers are paid for. It is safe for concurrent use.
type requestBudget struct {
	mu     sync.Mutex
	ended  *sync.Cond                        // a trial has
	over   error                             // why no more begin
	stop   func(error)                       // ends those that others play; nil: none are
	most   int64                             // calls; 0: no bound
	sent   int64                             // calls
	before int64                             // of those, by the parts of the run before this one
	noted  int64                             // calls that are kept as sent
	note   func(int64) error                 // keeps so many, for the case that the run is killed
	open   map[string]*inProgress            // by key
	cut    map[string]struct{}               // trials that lack a call
	trials int64                             // that have ended
	habits map[*eval.Condition]callsPerTrial // of those
}

// inProgress is a trial that has not ended.
type inProgress struct {
	condition   *eval.Condition
	turns, sent int64
}

// callsPerTrial is how many calls the trials of a cell take: some ask nobody, and long
// conversations ask more than short ones.
type callsPerTrial struct {
	turns, calls int64
	most         float64 // calls of a turn, in the trial that took the most
}

// defaultValue is what a trial of so many turns is believed to need, most what it may.
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

// bound has so many calls sent at most, of which some were.
func (a *requestBudget) bound(most, sent int64, note func(int64) error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.most, a.sent, a.before, a.noted, a.note = most, sent, sent, sent, note
}

// noteAhead is the share of a budget's calls that are kept as sent before they are: a
// resumed run never sends more than its budget, and may lose so many of it to a kill.
const noteAhead = 64

// begin waits until a trial may begin; false: no more do.
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

// lasts tells whether one more may begin: the first of a cell alone, as nobody knows yet
// what one needs; beside others it is believed to need as many calls a turn as any of its
// cell, alone as many as usual.
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

// close has no more trials begin.
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

// closed is why no more begin, nil where they do.
func (a *requestBudget) closed() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.over
}

// lacks tells a trial for which a call was not sent: what came of it says nothing.
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

// counted counts what a trial really sends.
type counted struct {
	http.RoundTripper
	key string
	by  *requestBudget
}

func (c counted) RoundTrip(req *http.Request) (*http.Response, error) {
	c.by.count(c.key)
	return c.RoundTripper.RoundTrip(req)
}

// missed hears of the calls of a trial that are not sent.
type missed counted

func (m missed) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := m.RoundTripper.RoundTrip(req)
	if errors.Is(err, limit.ErrRequestBudget) {
		m.by.miss(m.key)
	}
	return resp, err
}

// tooMany is why no more calls are sent.
func (a *requestBudget) tooMany() error {
	more := "what was sent again included"
	if a.trials == 0 {
		more += fmt.Sprintf("; no trial has ended with the %d that were left", a.most-a.before)
	}
	return usedUpOf("max-requests", fmt.Sprint(a.most), fmt.Sprint(2*a.most), more)
}

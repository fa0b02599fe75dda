package service

import (
	"context"
	"net/http"
	"sync"
)

// runs are the answers under way.
type runs struct {
	most int // at once

	mu       sync.Mutex // guards the rest
	n        int
	draining bool
	stopped  bool
	stops    map[context.Context]context.CancelCauseFunc // of the agents at work
}

func newRuns(most int) *runs {
	return &runs{most: most, stops: map[context.Context]context.CancelCauseFunc{}}
}

func (r *runs) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.n
}

// drain lets no further ones in.
func (r *runs) drain() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.draining = true
}

func (r *runs) drains() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.draining
}

// stop drains, and cancels the agents at work.
func (r *runs) stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.draining, r.stopped = true, true
	for _, stop := range r.stops {
		stop(errStopping)
	}
}

// room tells whether there is room for one more answer.
func (r *runs) room() *problem { return r.add(0) }

// enter takes the room of one more answer; leave gives it back.
func (r *runs) enter() *problem { return r.add(1) }

func (r *runs) add(n int) (p *problem) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.draining:
		p = refuse(http.StatusServiceUnavailable, codeStopping, "the service is shutting down")
	case r.n == r.most:
		p = refuse(http.StatusServiceUnavailable, "TOO_MANY_RUNS", "%d answers are under way, as many as may be", r.n)
	default:
		r.n += n
		return nil
	}
	p.retry = true
	return p
}

func (r *runs) leave() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.n--
}

// stoppable is a context for an agent that stop cancels until release is called.
func (r *runs) stoppable(client context.Context) (ctx context.Context, release func()) {
	ctx, stop := context.WithCancelCause(client)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stopped { // since it has entered
		stop(errStopping)
	}
	r.stops[ctx] = stop
	return ctx, func() {
		stop(nil)
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.stops, ctx)
	}
}

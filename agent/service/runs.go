package service

import (
	"context"
	"net/http"
	"sync"
	"time"
)

// runs are the answers under way.
type runs struct {
	most int // at once

	mu       sync.Mutex // guards the rest
	n        int
	draining bool
	stopped  bool
	stops    map[context.Context]context.CancelCauseFunc // of the agents at work
	bodies   map[*http.ResponseController]bool           // that are being read
}

func newRuns(most int) *runs {
	return &runs{most: most, stops: map[context.Context]context.CancelCauseFunc{}, bodies: map[*http.ResponseController]bool{}}
}

func (r *runs) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.n
}

// drain lets no further ones in, and waits for no body: its request would be refused.
func (r *runs) drain() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.draining = true
	for body := range r.bodies {
		_ = body.SetReadDeadline(time.Unix(1, 0)) // long past
	}
}

// await lets a body be read until then, unless drain says otherwise.
func (r *runs) await(body *http.ResponseController, until time.Time) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.draining {
		return errStopping
	}
	r.bodies[body] = true
	return supported(body.SetReadDeadline(until))
}

// read forgets a body that has come, or will not.
func (r *runs) read(body *http.ResponseController) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.bodies, body)
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
		p = refuse(http.StatusServiceUnavailable, "TOO_MANY_REQUESTS", "%d answers are under way, as many as may be", r.n)
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

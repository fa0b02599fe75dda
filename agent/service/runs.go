package service

import (
	"context"
	"net/http"
	"sync"
	"time"
)

// activeAnswers limits and tracks the answers in progress, so that the service can drain and stop.
type activeAnswers struct {
	max int // maximal number of answers

	mu       sync.Mutex // guards the fields below
	n        int
	draining bool
	stopped  bool
	stops    map[context.Context]context.CancelCauseFunc // functions that cancel running agents
	bodies   map[*http.ResponseController]bool           // request bodies that are being read
}

func newRuns(most int) *activeAnswers {
	return &activeAnswers{max: most, stops: map[context.Context]context.CancelCauseFunc{},
		bodies: map[*http.ResponseController]bool{}}
}

func (r *activeAnswers) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.n
}

// drain rejects further turns. It also aborts the reading of request bodies, because their turns
// would be rejected anyway.
func (r *activeAnswers) drain() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.draining = true
	for body := range r.bodies {
		_ = body.SetReadDeadline(time.Unix(1, 0)) // any time in the past aborts the read
	}
}

// setReadDeadline sets the read deadline of a request body. It returns an error if the service is
// draining.
func (r *activeAnswers) setReadDeadline(body *http.ResponseController, until time.Time) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.draining {
		return errStopping
	}
	r.bodies[body] = true
	return ignoreUnsupported(body.SetReadDeadline(until))
}

func (r *activeAnswers) forgetBody(body *http.ResponseController) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.bodies, body)
}

func (r *activeAnswers) isDraining() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.draining
}

// stop rejects further turns and cancels the running agents.
func (r *activeAnswers) stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.draining, r.stopped = true, true
	for _, stop := range r.stops {
		stop(errStopping)
	}
}

// checkCapacity returns a problem if the service drains or has the maximal number of answers.
func (r *activeAnswers) checkCapacity() *problem { return r.reserve(0) }

// enter counts an answer as in progress until leave is called. It returns a problem as
// checkCapacity does.
func (r *activeAnswers) enter() *problem { return r.reserve(1) }

func (r *activeAnswers) reserve(n int) (p *problem) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.draining:
		p = newProblem(http.StatusServiceUnavailable, codeStopping, "the service is shutting down")
	case r.n == r.max:
		p = newProblem(http.StatusServiceUnavailable, "TOO_MANY_REQUESTS",
			"%d answers are under way, as many as may be",
			r.n)
	default:
		r.n += n
		return nil
	}
	p.retry = true
	return p
}

func (r *activeAnswers) leave() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.n--
}

// stoppable returns a context that stop cancels. release must be called after the answer.
func (r *activeAnswers) stoppable(client context.Context) (ctx context.Context, release func()) {
	ctx, stop := context.WithCancelCause(client)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stopped { // the service was stopped after enter
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

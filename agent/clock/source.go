package clock

import "context"

// source is a Done channel on which tasks and deadlines of a simulation depend. Contexts with the
// same channel end together and share the source.
type source struct {
	ctx       context.Context
	done      <-chan struct{}
	tasks     queue[*task]     // parked on it
	deadlines queue[*deadline] // children
	place     place[*source]   // in simulation.polled; a deadline's own source is notified instead
}

// source returns or creates the source of ctx; nil if ctx never ends.
func (sim *simulation) source(ctx context.Context) *source {
	done := ctx.Done()
	if done == nil {
		return nil
	}
	if d, _ := ctx.Value(deadlineKey{}).(*deadline); d != nil && d.sim == sim && d.userDone == done && !d.settled {
		return &d.dependents
	}
	s := &sim.outside // the most frequent case
	if done != s.done {
		s = sim.sourceOf(ctx, done)
	}
	if s.place.in == nil {
		sim.polled.push(&s.place, s)
	}
	return s
}

func (sim *simulation) sourceOf(ctx context.Context, done <-chan struct{}) *source {
	s, ok := sim.sources[done]
	if !ok {
		if sim.sources == nil {
			sim.sources = map[<-chan struct{}]*source{}
		}
		s = &source{ctx: ctx, done: done}
		sim.sources[done] = s
	}
	return s
}

// dropIfUnused drops a source without dependents.
func (sim *simulation) dropIfUnused(s *source) {
	if s == nil || s.place.in == nil || !s.tasks.empty() || !s.deadlines.empty() {
		return
	}
	s.place.leave()
	delete(sim.sources, s.done)
}

// poll passes cancellations from outside the clock to their dependents, always in the same order.
func (sim *simulation) poll() {
	for sim.pollOnce() {
	}
}

// pollOnce reports whether a source had ended, because that may have ended more.
func (sim *simulation) pollOnce() bool {
	ended := sim.ended[:0]
	for p := sim.polled.first; p != nil; p = p.next {
		if p.owner.ctx.Err() != nil {
			ended = append(ended, p.owner)
		}
	}
	for _, s := range ended {
		sim.end(s)
	}
	clear(ended)
	sim.ended = ended[:0]
	return len(ended) > 0
}

// end wakes the tasks parked on s and ends the deadlines that depend on it.
func (sim *simulation) end(s *source) {
	for !s.tasks.empty() {
		t := s.tasks.first.owner
		sim.wake(t, t.ctx.Err())
	}
	for !s.deadlines.empty() {
		d := s.deadlines.first.owner
		d.follow()
		d.settle()
	}
}

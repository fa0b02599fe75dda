package clock

import "context"

// source is a Done channel, with the tasks and deadlines of a simulation that end when it is
// closed. Contexts with the same channel share one source.
type source struct {
	ctx       context.Context
	done      <-chan struct{}
	tasks     queue[*task]     // tasks that wait with a context that has this channel
	deadlines queue[*deadline] // deadlines whose parent has this channel
	place     place[*source]   // position in simulation.polled; the source of a simulated deadline is not polled
}

// source returns the source for the Done channel of ctx, or nil if ctx never ends.
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

// dropIfUnused forgets a source that no task or deadline depends on.
func (sim *simulation) dropIfUnused(s *source) {
	if s == nil || s.place.in == nil || !s.tasks.empty() || !s.deadlines.empty() {
		return
	}
	s.place.leave()
	delete(sim.sources, s.done)
}

// poll checks contexts from outside the simulation and wakes the tasks of those that have ended.
// The order is always the same, so that runs stay reproducible.
func (sim *simulation) poll() {
	for sim.pollOnce() {
	}
}

// pollOnce checks each outside context once and ends the sources of those that have ended. It
// reports whether there were any, because their end may have ended further contexts.
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

// end wakes the tasks that wait with a context of s and ends the deadlines that depend on it.
func (sim *simulation) end(s *source) {
	for !s.tasks.empty() {
		t := s.tasks.first.owner
		sim.wake(t, t.ctx.Err())
	}
	for !s.deadlines.empty() {
		d := s.deadlines.first.owner
		d.endWithParent()
		d.settle()
	}
}

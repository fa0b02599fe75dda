package clock

import "context"

// source is a Done channel on which tasks and deadlines of a simulation
// depend. Contexts that share the channel end together and share the source.
type source struct {
	ctx       context.Context
	done      <-chan struct{}
	tasks     queue[*task]     // parked under it
	deadlines queue[*deadline] // whose parent it is
	place     place[*source]   // in simulation.polled; a deadline's own source is told instead
}

// source finds or makes ctx's, nil for a context that never ends.
func (sim *simulation) source(ctx context.Context) *source {
	done := ctx.Done()
	if done == nil {
		return nil
	}
	if d, _ := ctx.Value(deadlineKey{}).(*deadline); d != nil && d.sim == sim && d.ends == done && !d.settled {
		return &d.own
	}
	s := &sim.outside // most are under no other
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

// forget drops a source on which nobody depends any more.
func (sim *simulation) forget(s *source) {
	if s == nil || s.place.in == nil || !s.tasks.empty() || !s.deadlines.empty() {
		return
	}
	s.place.leave()
	delete(sim.sources, s.done)
}

// poll carries cancellations that came from outside the clock to those who
// depend on them, always in the same order.
func (sim *simulation) poll() {
	for sim.pollOnce() {
	}
}

// pollOnce tells whether anything had ended: that may have ended more.
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

// end wakes who waits under s and ends the deadlines that follow it.
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

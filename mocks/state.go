package mocks

import (
	"context"
	"sync"
	"sync/atomic"

	"evalctl/mocks/component"
	"evalctl/mocks/fault"
	"evalctl/mocks/model"
	"evalctl/mocks/wire"
)

// state is what a Server has and a call of it needs.
type state struct {
	model   model.Model
	parts   component.Components
	all     []part
	faults  []fault.Fault
	images  ImageConfig
	corpora map[string]Corpus // by part
	seed    uint64
	strict  bool
	struck  func(ctx context.Context, part string, kind fault.Kind)
	locate  func(context.Context) model.Place
	key     string // the only accepted one; empty: any but none

	serial atomic.Uint64 // for ids
	mu     sync.Mutex
	loops  map[model.Place]map[*part]int // calls by turn and branch
	log    ring
	tasks  wire.Tasks
	memory wire.Memory
}

// part is nil where there is none of the name.
func (s *state) part(name string) *part {
	for i := range s.all { // a dozen at most
		if s.all[i].name == name {
			return &s.all[i]
		}
	}
	return nil
}

// place is where in its trial a call of a part is made, which it counts; the zero Place outside a trial.
func (s *state) place(ctx context.Context, p *part) model.Place {
	if s.locate == nil {
		return model.Place{}
	}
	place := s.locate(ctx)
	within := model.Place{Turn: place.Turn, Branch: place.Branch}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.loops[within] == nil {
		s.loops[within] = map[*part]int{}
	}
	if place.Attempt <= 1 || s.loops[within][p] == 0 {
		s.loops[within][p]++
	}
	place.Loop = s.loops[within][p]
	return place
}

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

// state is the shared state of a Server and its calls.
type state struct {
	model      model.Model
	parts      component.Components
	partStates []part
	faults     []fault.Fault
	images     ImageConfig
	corpora    map[string]Corpus // by part
	seed       uint64
	strict     bool
	onFault    func(ctx context.Context, part string, kind fault.Kind)
	locate     func(context.Context) model.Place
	key        string // the only accepted key; empty: any non-empty key

	serial     atomic.Uint64 // for ids
	mu         sync.Mutex
	callCounts map[model.Place]map[*part]int // calls by turn and branch
	log        ring
	tasks      wire.Tasks
	memory     wire.Memory
}

// part returns nil for an unknown name.
func (s *state) part(name string) *part {
	for i := range s.partStates { // at most about twelve
		if s.partStates[i].name == name {
			return &s.partStates[i]
		}
	}
	return nil
}

// place returns the turn, branch, call number and attempt of a call of p. It increments the call
// number of p, except for a retry. Outside a trial it returns the zero Place.
func (s *state) place(ctx context.Context, p *part) model.Place {
	if s.locate == nil {
		return model.Place{}
	}
	place := s.locate(ctx)
	branch := model.Place{Turn: place.Turn, Branch: place.Branch}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.callCounts[branch] == nil {
		s.callCounts[branch] = map[*part]int{}
	}
	if place.Attempt <= 1 || s.callCounts[branch][p] == 0 {
		s.callCounts[branch][p]++
	}
	place.Loop = s.callCounts[branch][p]
	return place
}

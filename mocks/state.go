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

// state is the state that a Server shares with all of its calls in progress.
type state struct {
	model        model.Model
	components   component.Components
	states       []componentState
	faults       []fault.Fault
	images       ImageConfig
	corpora      map[string]Corpus // documents by component
	seed         uint64
	strict       bool
	onFault      func(ctx context.Context, part string, kind fault.Kind)
	callPosition func(context.Context) model.CallPosition
	key          string // the only accepted API key; empty: any non-empty key

	serial     atomic.Uint64 // number of requests so far, for generated ids
	mu         sync.Mutex
	callCounts map[model.CallPosition]map[*componentState]int // number of calls of each component, by turn and branch
	log        ring
	tasks      wire.Tasks
	memory     wire.MemoryLimit
}

// findComponent returns the state of the named component; nil for an unknown name.
func (s *state) findComponent(name string) *componentState {
	for i := range s.states { // linear search, because there are at most about twelve components
		if s.states[i].name == name {
			return &s.states[i]
		}
	}
	return nil
}

// positionOf returns the position of a call of p within its trial: turn, branch, call number and
// attempt. Each call increments the call number of p, except a retry. Outside a trial the result is
// the zero CallPosition.
func (s *state) positionOf(ctx context.Context, p *componentState) model.CallPosition {
	if s.callPosition == nil {
		return model.CallPosition{}
	}
	place := s.callPosition(ctx)
	branch := model.CallPosition{Turn: place.Turn, Branch: place.Branch}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.callCounts[branch] == nil {
		s.callCounts[branch] = map[*componentState]int{}
	}
	if place.Attempt <= 1 || s.callCounts[branch][p] == 0 {
		s.callCounts[branch][p]++
	}
	place.CallNumber = s.callCounts[branch][p]
	return place
}

package mocks

import (
	"context"
	"sync/atomic"

	"evalctl/mocks/component"
	"evalctl/mocks/fault"
	"evalctl/mocks/model"
	"evalctl/mocks/wire"
)

// state is what a Server has and a call of it needs.
type state struct {
	model   model.Model
	parts   component.Parts
	all     []part
	faults  []fault.Fault
	images  ImageConfig
	corpora map[string]Corpus // by part
	seed    uint64
	strict  bool
	struck  func(ctx context.Context, part string, kind fault.Kind)
	key     string // the only accepted one; empty: any but none

	serial atomic.Uint64 // for ids
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

package mocks

import (
	"sync/atomic"

	"evalctl/mocks/component"
	"evalctl/mocks/fault"
	"evalctl/mocks/latency"
	"evalctl/mocks/model"
	"evalctl/mocks/wire"
)

// state is what a Server has and a call of it needs.
type state struct {
	model   model.Model
	latency [component.Count]latency.Latency
	faults  []fault.Fault
	images  ImageConfig
	seed    uint64
	strict  bool
	key     string // the only accepted one; empty: any but none

	calls  [component.Count]atomic.Int64
	serial atomic.Uint64 // for ids
	log    ring
	tasks  wire.Tasks
}

package mocks

import "sync/atomic"

// state is what a Server has and a call of it needs.
type state struct {
	model   Model
	latency [componentCount]Latency
	faults  []Fault
	images  ImageConfig
	seed    uint64
	strict  bool
	key     string // the only accepted one; empty: any but none

	calls  [componentCount]atomic.Int64
	serial atomic.Uint64 // for ids
	log    ring
	tasks  tasks
}

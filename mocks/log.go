package mocks

import (
	"sync"

	"evalctl/mocks/component"
	"evalctl/mocks/wire"
)

// logSize is the number of exchanges in the log of a Server. Older ones are dropped.
const logSize = 256

// LogEntry describes one request to a Server and its outcome.
type LogEntry struct {
	ComponentName string         // the agent component that was called; empty: none, as for the list of models
	Role          component.Role // the role of that component, such as router or image
	Method        string         // HTTP method; empty for SimulateLocalCall, like Path and Dialect
	Path          string         // URL path of the request
	Dialect       wire.Dialect   // API of the provider that the request is for
	Model         string         // model name in the request; empty: none
	Stream        bool           // the request requires a streamed answer
	// number of the request among the component's valid calls, from 1; 0: rejected before it was
	// counted
	CallNumber int
	Status     int      // HTTP status; 0: not answered; for SimulateLocalCall: the equivalent HTTP status
	Faults     []string // the triggered faults, in the format of fault.Parse
	Notes      []string // irregularities in the request that the real service might reject
}

// ring is the log of a Server: a ring buffer of the last logSize exchanges.
type ring struct {
	mu   sync.Mutex
	list []LogEntry
	next int // index of the oldest entry, which add overwrites once the ring is full
}

func (l *ring) add(e LogEntry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.list) < logSize {
		l.list = append(l.list, e)
		return
	}
	l.list[l.next] = e
	l.next = (l.next + 1) % logSize
}

func (l *ring) all() []LogEntry {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := make([]LogEntry, 0, len(l.list))
	out = append(out, l.list[l.next:]...)
	return append(out, l.list[:l.next]...)
}

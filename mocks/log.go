package mocks

import (
	"sync"

	"evalctl/mocks/component"
	"evalctl/mocks/wire"
)

// logSize is the number of exchanges that a Server stores; older ones are dropped.
const logSize = 256

// LogEntry is one request and its outcome.
type LogEntry struct {
	Part      string         // empty: none, as for the list of models
	Component component.Role // the role of the part
	Method    string         // empty for CallLocal, like Path and Dialect
	Path      string
	Dialect   wire.Dialect
	Model     string
	Stream    bool
	Nth       int      // number among the part's valid calls, from 1; 0: rejected before it was counted
	Status    int      // 0: not answered; for CallLocal: the equivalent HTTP status
	Fault     []string // the triggered faults, in spec format
	Notes     []string // irregularities that the real service might reject
}

// ring stores the last logSize exchanges.
type ring struct {
	mu   sync.Mutex
	list []LogEntry
	next int // next index to overwrite once the ring is full
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

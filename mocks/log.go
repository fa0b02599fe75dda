package mocks

import (
	"sync"

	"evalctl/mocks/component"
	"evalctl/mocks/wire"
)

// LogSize is how many exchanges a Server remembers; older ones are dropped.
const LogSize = 256

// LogEntry is one request and how it was answered.
type LogEntry struct {
	Part      string         // empty: none, as for the list of models
	Component component.Role // whose work the part does
	Method    string         // with Path and Dialect empty: a call by Local
	Path      string
	Dialect   wire.Dialect
	Model     string
	Stream    bool
	Nth       int      // of the part's valid calls, from 1; 0: refused before it was counted
	Status    int      // 0: never answered; of a call by Local, what HTTP would say
	Fault     []string // the faults that struck, as in a spec
	Notes     []string // oddities that the real service may or may not refuse
}

// ring keeps the last LogSize exchanges.
type ring struct {
	mu   sync.Mutex
	list []LogEntry
	next int // where the next one goes once the ring is full
}

func (l *ring) add(e LogEntry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.list) < LogSize {
		l.list = append(l.list, e)
		return
	}
	l.list[l.next] = e
	l.next = (l.next + 1) % LogSize
}

func (l *ring) all() []LogEntry {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := make([]LogEntry, 0, len(l.list))
	out = append(out, l.list[l.next:]...)
	return append(out, l.list[:l.next]...)
}

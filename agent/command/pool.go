package command

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"evalctl/agent/clock"
	"evalctl/agent/program"
)

// ProcessPool has the processes of one command: one for each who asks at once, started when
// there is none to spare. It is safe for concurrent use.
type ProcessPool struct {
	argv   []string
	dir    string
	guard  *program.Guard
	budget atomic.Int64

	mu     sync.Mutex
	idle   []*process
	all    map[*process]struct{}
	closed bool
}

// NewPool is a pool of processes of a command, none of which is started yet. dir is where
// they work; "": here.
func NewPool(argv []string, dir string) *ProcessPool {
	return &ProcessPool{argv: argv, dir: dir, guard: program.NewGuard(), all: map[*process]struct{}{}}
}

var errClosed = errors.New("the programs have been ended")

// start starts a process.
func (p *ProcessPool) start() (*process, error) {
	one, err := start(p.argv, p.dir, p.guard, &p.budget)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		one.kill()
		return nil, errClosed
	}
	p.all[one] = struct{}{}
	return one, nil
}

// spare is an idle process that nobody else has, nil where there is none.
func (p *ProcessPool) spare() (*process, error) {
	for {
		one, err := p.idler()
		if err != nil || one == nil || !one.isDead() {
			return one, err
		}
		p.drop(one)
	}
}

func (p *ProcessPool) idler() (one *process, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, errClosed
	}
	if n := len(p.idle); n > 0 {
		one, p.idle = p.idle[n-1], p.idle[:n-1]
	}
	return one, nil
}

// give gives a process back that can be asked again.
func (p *ProcessPool) give(one *process) {
	one.said() // to nobody
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.closed {
		p.idle = append(p.idle, one)
	}
}

// drop ends a process that nobody should ask again.
func (p *ProcessPool) drop(one *process) {
	one.kill()
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.all, one)
}

// Close ends all processes: first by the end of their input, and those that do not heed
// it soon by force, with all that they have started: in their groups and, on Linux, also
// in sessions of their own.
func (p *ProcessPool) Close() error {
	p.mu.Lock()
	p.closed = true
	all := p.all
	p.all, p.idle = map[*process]struct{}{}, nil
	p.mu.Unlock()
	for one := range all {
		one.end()
	}
	soon, cancel := clock.WithTimeout(context.Background(), patience)
	defer cancel()
	for one := range all {
		one.buried(soon)
	}
	p.guard.Close()
	return nil
}

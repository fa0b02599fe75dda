package command

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"evalctl/agent/clock"
	"evalctl/agent/program"
)

// ProcessPool owns the processes of one command. It starts a process when no idle one is left, so
// there is one for each concurrent conversation. It is safe for concurrent use.
type ProcessPool struct {
	argv   []string
	dir    string
	guard  *program.ProcessGuard
	budget atomic.Int64

	mu     sync.Mutex
	idle   []*process
	all    map[*process]struct{}
	closed bool
}

// NewPool returns a pool without processes, which will run in dir; "": the current directory.
func NewPool(argv []string, dir string) *ProcessPool {
	return &ProcessPool{
		argv:  argv,
		dir:   dir,
		guard: program.NewProcessGuard(),
		all:   map[*process]struct{}{},
	}
}

var errClosed = errors.New("the programs have been ended")

// start starts a process and adds it to the pool as a busy one.
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

// takeIdle removes an idle process from the pool and returns it; nil: there is none.
func (p *ProcessPool) takeIdle() (*process, error) {
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

// release returns a reusable process to the pool.
func (p *ProcessPool) release(one *process) {
	one.takeStderr() // drops the stderr output, which does not belong to the next conversation
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.closed {
		p.idle = append(p.idle, one)
	}
}

// drop kills a process that must not be reused.
func (p *ProcessPool) drop(one *process) {
	one.kill()
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.all, one)
}

// Close ends all processes. It first closes their input and then kills those still running with all
// their child processes: those in their process groups and, on Linux, those in other sessions, too.
func (p *ProcessPool) Close() error {
	p.mu.Lock()
	p.closed = true
	all := p.all
	p.all, p.idle = map[*process]struct{}{}, nil
	p.mu.Unlock()
	for one := range all {
		one.end()
	}
	soon, cancel := clock.WithTimeout(context.Background(), exitTimeout)
	defer cancel()
	for one := range all {
		one.waitOrKill(soon)
	}
	p.guard.Close()
	return nil
}

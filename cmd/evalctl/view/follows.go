package view

import (
	"slices"
	"sync"
	"time"

	"evalctl/eval/journal"
)

// follows contains the runs that have followers. Each run is read once for all its followers.
type follows struct {
	mu sync.Mutex
	of map[string]*followed // by run directory
}

// followed is a run with followers.
type followed struct {
	users int // number of followers; guarded by follows.mu

	mu   sync.Mutex
	tail *tail // nil before the first poll
}

func newFollows() *follows { return &follows{of: map[string]*followed{}} }

// enter adds a follower. leave removes it.
func (f *follows) enter(path string) (run *followed, leave func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	run, ok := f.of[path]
	if !ok {
		run = &followed{}
		f.of[path] = run
	}
	run.users++
	return run, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		if run.users--; run.users == 0 {
			delete(f.of, path)
		}
	}
}

// look returns the progress of the run, and why it ended; "": it has not.
func (f *followed) look(path string, now time.Time) (p progress, over string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !holdsRun(path) {
		return p, "its folder is gone"
	}
	// read before the results, so that no result written before the end is missed
	m, err := journal.ReadManifest(path)
	if err == nil && f.tail == nil {
		f.tail, err = newTail(path)
	}
	if err == nil {
		err = f.tail.read(now)
	}
	if err != nil {
		return p, err.Error()
	}
	p = f.tail.progress
	p.Conditions = slices.Clone(p.Conditions)
	if m.Status != journal.Running {
		over = "it is " + shown(string(m.Status))
	}
	return p, over
}

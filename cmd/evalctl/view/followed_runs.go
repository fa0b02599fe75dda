package view

import (
	"slices"
	"sync"
	"time"

	"evalctl/eval/journal"
)

// followedRuns contains the runs that have followers. Each run is read once for all its followers.
type followedRuns struct {
	mu     sync.Mutex
	byPath map[string]*followedRun // by run directory
}

// followedRun is a run with followers.
type followedRun struct {
	followers int // number of followers; guarded by follows.mu

	mu   sync.Mutex
	tail *tail // nil before the first poll
}

func newFollowedRuns() *followedRuns { return &followedRuns{byPath: map[string]*followedRun{}} }

// add adds a follower. leave removes it.
func (f *followedRuns) add(path string) (run *followedRun, leave func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	run, ok := f.byPath[path]
	if !ok {
		run = &followedRun{}
		f.byPath[path] = run
	}
	run.followers++
	return run, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		if run.followers--; run.followers == 0 {
			delete(f.byPath, path)
		}
	}
}

// poll returns the progress of the run, and why it ended; "": it has not.
func (f *followedRun) poll(path string, now time.Time) (p progress, over string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !hasManifest(path) {
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

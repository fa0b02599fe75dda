package view

import (
	"slices"
	"sync"
	"time"

	"evalctl/eval/journal"
)

// followedRuns contains the runs that clients follow. Each is read once for all its clients.
type followedRuns struct {
	mu     sync.Mutex
	byPath map[string]*followedRun // the runs, by run directory
}

// followedRun is a run whose progress is being sent to at least one client.
type followedRun struct {
	followers int // number of clients; guarded by followedRuns.mu

	mu   sync.Mutex
	tail *resultTail // nil before the first poll
}

func newFollowedRuns() *followedRuns { return &followedRuns{byPath: map[string]*followedRun{}} }

// add adds a client that follows the run in the directory path. leave removes the client again.
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

// poll reads new results of the run and returns its progress. over is the reason why the run ended;
// "": it is still running.
func (f *followedRun) poll(path string, now time.Time) (p progress, over string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !hasManifest(path) {
		return p, "its folder is gone"
	}
	// Read the manifest before the results. Otherwise results written just before the run ended
	// could be missed.
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
	if m.Status != journal.StatusRunning {
		over = "it is " + shown(string(m.Status))
	}
	return p, over
}

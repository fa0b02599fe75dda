package view

import (
	"slices"
	"sync"
	"time"

	"evalctl/eval/journal"
)

// follows are the runs that somebody follows: each is read once for all who do.
type follows struct {
	mu sync.Mutex
	of map[string]*followed // by the run's folder
}

// followed is a run while somebody follows it.
type followed struct {
	users int // guarded by follows

	mu   sync.Mutex
	tail *tail // nil: it was not looked at yet
}

func newFollows() *follows { return &follows{of: map[string]*followed{}} }

// enter follows the run until leave.
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

// look tells how far the run is, and why it is over: "", it is not.
func (f *followed) look(path string, now time.Time) (p progress, over string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !holdsRun(path) {
		return p, "its folder is gone"
	}
	m, err := journal.ReadManifest(path) // before the results: what is written before it says that it ended counts
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

package play

import (
	"fmt"
	"sync"
	"time"

	"evalctl/eval"
	"evalctl/mocks/backend"
	"evalctl/mocks/cassette"
)

// Replay answers all calls of a run from a cassette. It also records which calls the cassette does
// not contain.
type Replay struct {
	player *cassette.Player

	mu sync.Mutex
	// for each trial in progress, by key, the first call that the cassette does not contain
	missed map[string]*cassette.Miss
}

// NewReplay returns a Replay that uses the cassette player p.
func NewReplay(p *cassette.Player) *Replay {
	return &Replay{player: p, missed: map[string]*cassette.Miss{}}
}

// Middleware returns a middleware that answers all calls from the cassette.
func (r *Replay) Middleware() backend.Middleware {
	return backend.WithReplay(r.player, func(t eval.Trial, m *cassette.Miss) {
		r.mu.Lock()
		defer r.mu.Unlock()
		if key := t.Key(); r.missed[key] == nil {
			r.missed[key] = m
		}
	})
}

// missing returns an error about the first call of the trial that is not in the cassette. It
// returns nil if all calls are in it.
func (r *Replay) missing(t eval.Trial) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.missed) == 0 {
		return nil
	}
	key := t.Key()
	m, ok := r.missed[key]
	if !ok {
		return nil
	}
	delete(r.missed, key)
	return m
}

// startTime returns the time at which a trial starts on its clock. If the case has no time, it is
// the time of the recording, because prompts contain the date.
func (r *Replay) startTime(t eval.Trial) time.Time {
	if !t.Case.Now.IsZero() {
		return t.Start()
	}
	at, ok := r.player.Cassette.StartTime(backend.CassetteTrialRef(t), t.Epoch)
	if !ok {
		return t.Start()
	}
	return at
}

// verdict returns an error if calls were not in the cassette. It returns nil for a nil Replay.
func (r *Replay) verdict() error {
	if r == nil {
		return nil
	}
	n, first := r.player.Misses()
	if n == 0 {
		return nil
	}
	what := "recording"
	if first.ReadErr != nil {
		what = "recording that can be read"
	}
	return fmt.Errorf("--replay: %d calls have no %s; the first: %w", n, what, first)
}

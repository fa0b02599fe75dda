package play

import (
	"fmt"
	"sync"
	"time"

	"evalctl/eval"
	"evalctl/mocks/backend"
	"evalctl/mocks/cassette"
)

// Replay has a cassette answer all that a run asks of the outside, and remembers what it
// had no answer for.
type Replay struct {
	player *cassette.Player

	mu     sync.Mutex
	missed map[string]*cassette.Miss // the first of each trial under way, by its key
}

// NewReplay replays what a player has.
func NewReplay(p *cassette.Player) *Replay {
	return &Replay{player: p, missed: map[string]*cassette.Miss{}}
}

// Middleware stands in the way of all calls.
func (r *Replay) Middleware() backend.Middleware {
	return backend.WithReplay(r.player, func(t eval.Trial, m *cassette.Miss) {
		r.mu.Lock()
		defer r.mu.Unlock()
		if key := t.Key(); r.missed[key] == nil {
			r.missed[key] = m
		}
	})
}

// spoiled says what a trial that was just played would have needed.
func (r *Replay) spoiled(t eval.Trial) error {
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

// begins is when a trial began that tells no time of its own: prompts hold the day.
func (r *Replay) begins(t eval.Trial) time.Time {
	if !t.Case.Now.IsZero() {
		return t.Start()
	}
	at, ok := r.player.Cassette.StartTime(backend.CassetteTrial(t), t.Epoch)
	if !ok {
		return t.Start()
	}
	return at
}

// verdict says how much was never recorded; a nil Replay has missed nothing.
func (r *Replay) verdict() error {
	if r == nil {
		return nil
	}
	n, first := r.player.Misses()
	if n == 0 {
		return nil
	}
	what := "recording"
	if first.Damage != nil {
		what = "recording that can be read"
	}
	return fmt.Errorf("--replay: %d calls have no %s; the first: %w", n, what, first)
}

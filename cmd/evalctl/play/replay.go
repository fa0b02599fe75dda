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

// Via stands in the way of all calls.
func (r *Replay) Via() backend.Via {
	return backend.Replay(r.player, func(t eval.Trial, m *cassette.Miss) {
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
	at, ok := r.player.Cassette.Began(backend.Asks(t), t.Epoch)
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
	return fmt.Errorf("--replay: %d calls have no recording; the first: %w", n, first)
}

// What a manifest calls a run whose calls are recorded, or answered from recordings.
const (
	recorded = "recorded"
	replayed = "replayed"
)

func (o Outside) tape() string {
	switch {
	case o.Replay != nil:
		return replayed
	case o.Recorded:
		return recorded
	}
	return ""
}

// sameTape refuses to go on with a run in another way than it began: what was recorded
// would have holes, and figures would be of two kinds. A file is not named in the
// manifest, which may be from elsewhere, and so is given again.
func (o Outside) sameTape(began string) error {
	now := o.tape()
	switch {
	case began == now:
		return nil
	case began == "":
		return fmt.Errorf("the run began without being %s", now)
	case began == recorded:
		return fmt.Errorf("the run is being recorded: give its cassette again with --record")
	}
	return fmt.Errorf("the run is being replayed: give its cassette again with --replay")
}

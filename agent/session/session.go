// Package session remembers conversations: one answer at a time in each, those
// behind it in order of arrival, and nothing for ever.
package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"evalctl/agent"
	"evalctl/agent/clock"
)

// What bounds a store whose configuration says nothing else.
const (
	DefaultIdle     = 30 * time.Minute
	DefaultMessages = 50
	DefaultMax      = 10_000
)

// ErrBusy refuses a turn while another of its session is being answered.
var ErrBusy = errors.New("session is busy with another turn")

// Config bounds a store.
type Config struct {
	Refuse   bool          // refuse a second turn while one is answered, in place of queueing it
	Idle     time.Duration // after which a session is forgotten; 0: DefaultIdle
	Messages int           // kept of a session, the newest; 0: DefaultMessages
	Max      int           // sessions; the longest idle goes first, one in use never; 0: DefaultMax
}

// Session is what one conversation holds.
type Session struct {
	History []agent.Message // what was said, oldest first
}

// Store holds sessions, on the clock of its users. It is safe for concurrent use.
type Store struct {
	cfg Config

	mu   sync.Mutex // guards the rest; never held over a wait
	used map[string]*using
	idle *simplelru.LRU[string, rest] // the longest idle is the oldest
}

// using is a session with turns being answered or waiting for it.
type using struct {
	Session
	turn  *clock.Semaphore
	users int
}

// rest is a session that nobody uses.
type rest struct {
	Session
	since time.Time
}

// New checks cfg; errors name the field.
func New(cfg Config) (*Store, error) {
	switch {
	case cfg.Idle < 0:
		return nil, fmt.Errorf("session.Config.Idle: %v is negative", cfg.Idle)
	case cfg.Messages < 0:
		return nil, fmt.Errorf("session.Config.Messages: %d is negative", cfg.Messages)
	case cfg.Max < 0:
		return nil, fmt.Errorf("session.Config.Max: %d is negative", cfg.Max)
	}
	cfg.Idle = cmp.Or(cfg.Idle, DefaultIdle)
	cfg.Messages = cmp.Or(cfg.Messages, DefaultMessages)
	cfg.Max = cmp.Or(cfg.Max, DefaultMax)
	idle, err := simplelru.NewLRU[string, rest](cfg.Max, nil)
	return &Store{cfg: cfg, used: map[string]*using{}, idle: idle}, err
}

// Do calls f with the session when the turns before have been answered, and
// keeps what f makes of it, bounded. It fails with ErrBusy where the store
// refuses to queue, with ctx's error where that ends in the queue, else with
// f's. f must not call Do for the same session: it would wait for itself.
func (s *Store) Do(ctx context.Context, id string, f func(context.Context, *Session) error) error {
	u, err := s.enter(ctx, id)
	if err != nil {
		return err
	}
	defer s.leave(ctx, id, u)
	if err := u.turn.Acquire(ctx); err != nil {
		return err
	}
	defer u.turn.Release()
	err = f(ctx, &u.Session)
	u.History = s.newest(u.History)
	return err
}

// Len counts the sessions that are remembered or in use.
func (s *Store) Len(ctx context.Context) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forget(ctx)
	return len(s.used) + s.idle.Len()
}

func (s *Store) enter(ctx context.Context, id string) (*using, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forget(ctx)
	u := s.used[id]
	if u != nil && s.cfg.Refuse {
		return nil, ErrBusy
	}
	if u == nil {
		r, _ := s.idle.Peek(id)
		s.idle.Remove(id)
		u = &using{Session: r.Session, turn: clock.NewSemaphore(ctx, "session "+id, 1)}
		s.used[id] = u
		s.trim()
	}
	u.users++
	return u, nil
}

func (s *Store) leave(ctx context.Context, id string, u *using) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if u.users--; u.users > 0 {
		return
	}
	delete(s.used, id)
	if len(u.History) > 0 { // else there is nothing to remember
		s.idle.Add(id, rest{Session: u.Session, since: clock.Now(ctx)})
		s.trim()
	}
}

// forget drops the sessions that have been idle for too long: they are the
// oldest, so that no other need be looked at.
func (s *Store) forget(ctx context.Context) {
	now := clock.Now(ctx)
	for {
		_, r, ok := s.idle.GetOldest()
		if !ok || now.Sub(r.since) < s.cfg.Idle {
			return
		}
		s.idle.RemoveOldest()
	}
}

// trim drops the longest idle sessions while there are too many.
func (s *Store) trim() {
	for s.idle.Len() > 0 && s.idle.Len()+len(s.used) > s.cfg.Max {
		s.idle.RemoveOldest()
	}
}

// newest copies the messages to keep: nobody else has their array, and it does
// not keep the dropped ones alive.
func (s *Store) newest(h []agent.Message) []agent.Message {
	return slices.Clone(h[max(0, len(h)-s.cfg.Messages):])
}

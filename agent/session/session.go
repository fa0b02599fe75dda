// Package session remembers conversations: one answer at a time in each, those
// behind it in order of arrival, and nothing for ever. Its memory is bounded
// by bytes, those of pictures that came as data apart.
package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"evalctl/agent"
	"evalctl/agent/clock"
)

// What bounds a store whose configuration says nothing else.
const (
	DefaultIdle       = 30 * time.Minute
	DefaultMessages   = 50
	DefaultMax        = 10_000
	DefaultBytes      = 256 << 10 // of one session
	defaultImageBytes = 8 << 20   // of one session's pictures that came as data
	DefaultTotal      = 64 << 20  // of all
)

// errBusy refuses a turn while another of its session is being answered.
var errBusy = errors.New("session is busy with another turn")

// Config bounds a store. Bytes are those of a message's role, text and picture
// addresses; pictures that came as data have a bound of their own, and the
// message that had to let them go says so.
type Config struct {
	RejectWhenBusy bool          // refuse a second turn while one is answered, in place of queueing it
	Idle           time.Duration // after which a session is forgotten; 0: DefaultIdle
	Messages       int           // kept of a session, the newest; 0: DefaultMessages
	Max            int           // sessions; the longest idle goes first, one in use never; 0: DefaultMax
	Bytes          int64         // kept of a session: the oldest messages go first, one that is larger by itself is not kept; 0: DefaultBytes
	ImageBytes     int64         // bytes kept of a session's pictures that came as data: the oldest go first; 0: defaultImageBytes
	Total          int64         // bytes and pictures of all sessions; the longest idle goes first, one in use never; 0: DefaultTotal
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
	size int64                        // bytes of all that used and idle hold
}

// held is a session and its bytes, as they were after its last turn.
type held struct {
	Session
	size int64
}

// using is a session with turns being answered or waiting for it.
type using struct {
	held
	turn  *clock.Semaphore
	users int
}

// rest is a session that nobody uses.
type rest struct {
	held
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
	case cfg.Bytes < 0:
		return nil, fmt.Errorf("session.Config.Bytes: %d is negative", cfg.Bytes)
	case cfg.ImageBytes < 0:
		return nil, fmt.Errorf("session.Config.ImageBytes: %d is negative", cfg.ImageBytes)
	case cfg.Total < 0:
		return nil, fmt.Errorf("session.Config.Total: %d is negative", cfg.Total)
	}
	cfg.Idle = cmp.Or(cfg.Idle, DefaultIdle)
	cfg.Messages = cmp.Or(cfg.Messages, DefaultMessages)
	cfg.Max = cmp.Or(cfg.Max, DefaultMax)
	cfg.Bytes = cmp.Or(cfg.Bytes, DefaultBytes)
	cfg.ImageBytes = cmp.Or(cfg.ImageBytes, defaultImageBytes)
	cfg.Total = cmp.Or(cfg.Total, DefaultTotal)
	return &Store{cfg: cfg}, nil
}

// open makes room for the first session: most stores of a trial never hold any.
func (s *Store) open() (err error) {
	if s.used == nil {
		s.used = map[string]*using{}
		s.idle, err = simplelru.NewLRU(s.cfg.Max, func(_ string, r rest) { s.size -= r.size })
	}
	return err
}

// WithSession calls f with the session when the turns before have been answered, and
// keeps what f makes of it, bounded. It fails with errBusy where the store
// refuses to queue, with ctx's error where that ends in the queue, else with
// f's. f must not call Do for the same session: it would wait for itself.
func (s *Store) WithSession(ctx context.Context, id string, f func(context.Context, *Session) error) error {
	u, err := s.enter(ctx, id)
	if err != nil {
		return err
	}
	defer s.leave(ctx, id, u)
	if err := u.turn.Acquire(ctx); err != nil {
		return err
	}
	defer u.turn.Release()
	defer s.keep(u) // also what a panic leaves behind
	return f(ctx, &u.Session)
}

func (s *Store) enter(ctx context.Context, id string) (*using, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.open(); err != nil {
		return nil, err
	}
	s.forget(ctx)
	u := s.used[id]
	if u != nil && s.cfg.RejectWhenBusy {
		return nil, errBusy
	}
	if u == nil {
		r, _ := s.idle.Peek(id)
		s.idle.Remove(id)
		s.size += r.size // which Remove took off
		u = &using{held: r.held, turn: clock.NewSemaphore(ctx, "session "+id, 1)}
		s.used[id] = u
		s.trim()
	}
	u.users++
	return u, nil
}

// keep bounds what a turn has made of its session, and counts it. Where the
// sessions in use are too large together, this one keeps no pictures.
func (s *Store) keep(u *using) {
	history, size := s.bounded(u.History, s.cfg.ImageBytes)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count(u, history, size)
	if s.size > s.cfg.Total {
		history, size = s.bounded(history, 0)
		s.count(u, history, size)
	}
}

// count takes over what a session holds now.
func (s *Store) count(u *using, history []agent.Message, size int64) {
	s.size += size - u.size
	u.History, u.size = history, size
	s.trim()
}

func (s *Store) leave(ctx context.Context, id string, u *using) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if u.users--; u.users > 0 {
		return
	}
	delete(s.used, id)
	if len(u.History) > 0 { // else there is nothing to remember, nor any bytes
		s.idle.Add(id, rest{held: u.held, since: clock.Now(ctx)})
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

// trim drops the longest idle sessions while there are too many, or they
// are too large.
func (s *Store) trim() {
	for s.idle.Len() > 0 && (s.idle.Len()+len(s.used) > s.cfg.Max || s.size > s.cfg.Total) {
		s.idle.RemoveOldest()
	}
}

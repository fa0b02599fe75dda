// Package session stores conversations. Each session answers one turn at a time; further turns wait
// in order of arrival. Sessions expire, and their memory is limited, with a separate limit for
// pictures stored as data.
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

// Default limits.
const (
	DefaultIdle       = 30 * time.Minute
	DefaultMessages   = 50
	DefaultMax        = 10_000
	DefaultBytes      = 256 << 10 // per session
	defaultImageBytes = 8 << 20   // pictures stored as data, per session
	DefaultTotal      = 64 << 20  // all sessions
)

// errBusy rejects a turn while another of its session is answered.
var errBusy = errors.New("session is busy with another turn")

// Config configures a Store. Bytes are those of a message's role, text and picture URLs. Pictures
// stored as data have a separate limit; a message that lost its pictures is marked.
type Config struct {
	RejectWhenBusy bool          // reject a second turn while one is answered, in place of queueing it
	Idle           time.Duration // a session expires after this time; 0: DefaultIdle
	Messages       int           // newest messages per session; 0: DefaultMessages
	Max            int           // sessions; the one idle for longest is evicted, never one in use; 0: DefaultMax
	// per session: the oldest messages are dropped, and a message that is too large by itself; 0:
	// DefaultBytes
	Bytes int64
	// bytes of pictures stored as data, per session: the oldest are dropped; 0: defaultImageBytes
	ImageBytes int64
	// bytes of all sessions, including pictures; the one idle for longest is evicted, never one in
	// use; 0: DefaultTotal
	Total int64
}

// Session is the memory of one conversation.
type Session struct {
	History []agent.Message // oldest first
}

// Store stores sessions, on the clock of the context. It is safe for concurrent use.
type Store struct {
	cfg Config

	mu   sync.Mutex // guards the fields below; never held during a wait
	used map[string]*activeSession
	idle *simplelru.LRU[string, idleSession] // ordered by idle time
	size int64                               // bytes of used and idle
}

// sizedSession is a session and its size after its last turn.
type sizedSession struct {
	Session
	size int64
}

// activeSession is a session with active or waiting turns.
type activeSession struct {
	sizedSession
	turn  *clock.Semaphore
	users int
}

// idleSession is an idle session.
type idleSession struct {
	sizedSession
	since time.Time
}

// New validates cfg. Errors name the field.
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

// open allocates on first use, because most stores of a trial never hold a session.
func (s *Store) open() (err error) {
	if s.used == nil {
		s.used = map[string]*activeSession{}
		s.idle, err = simplelru.NewLRU(s.cfg.Max, func(_ string, r idleSession) { s.size -= r.size })
	}
	return err
}

// WithSession calls f with the session after the turns before it, and stores the modified session
// within the limits. It returns errBusy if the session is busy and the store does not queue, ctx's
// error if ctx ends in the queue, and otherwise f's error. f must not call WithSession for the same
// session: that is a deadlock.
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
	defer s.storeLimited(u) // also after a panic
	return f(ctx, &u.Session)
}

func (s *Store) enter(ctx context.Context, id string) (*activeSession, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.open(); err != nil {
		return nil, err
	}
	s.expire(ctx)
	u := s.used[id]
	if u != nil && s.cfg.RejectWhenBusy {
		return nil, errBusy
	}
	if u == nil {
		r, _ := s.idle.Peek(id)
		s.idle.Remove(id)
		s.size += r.size // Remove subtracted it
		u = &activeSession{sizedSession: r.sizedSession, turn: clock.NewSemaphore(ctx, "session "+id, 1)}
		s.used[id] = u
		s.trim()
	}
	u.users++
	return u, nil
}

// storeLimited applies the limits to a session after a turn. If all sessions in use are too large
// together, it drops the pictures of this one.
func (s *Store) storeLimited(u *activeSession) {
	history, size := s.bounded(u.History, s.cfg.ImageBytes)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count(u, history, size)
	if s.size > s.cfg.Total {
		history, size = s.bounded(history, 0)
		s.count(u, history, size)
	}
}

// count updates the session and the total size.
func (s *Store) count(u *activeSession, history []agent.Message, size int64) {
	s.size += size - u.size
	u.History, u.size = history, size
	s.trim()
}

func (s *Store) leave(ctx context.Context, id string, u *activeSession) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if u.users--; u.users > 0 {
		return
	}
	delete(s.used, id)
	if len(u.History) > 0 { // otherwise there is nothing to store
		s.idle.Add(id, idleSession{sizedSession: u.sizedSession, since: clock.Now(ctx)})
		s.trim()
	}
}

// expire drops expired sessions. They are the oldest, so the others need no check.
func (s *Store) expire(ctx context.Context) {
	now := clock.Now(ctx)
	for {
		_, r, ok := s.idle.GetOldest()
		if !ok || now.Sub(r.since) < s.cfg.Idle {
			return
		}
		s.idle.RemoveOldest()
	}
}

// trim evicts the sessions that are idle for longest while there are too many or they are too
// large.
func (s *Store) trim() {
	for s.idle.Len() > 0 && (s.idle.Len()+len(s.used) > s.cfg.Max || s.size > s.cfg.Total) {
		s.idle.RemoveOldest()
	}
}

// Package session stores the history of conversations, so that an agent remembers earlier turns. A
// session answers one turn at a time; further turns wait in order of arrival or are rejected.
// Sessions expire after a time. Their memory is limited, with a separate limit for images stored as
// data URLs.
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

// Default values of Config.
const (
	DefaultIdleTimeout   = 30 * time.Minute // without a turn
	DefaultMaxMessages   = 50               // per session
	DefaultMaxSessions   = 10_000           // sessions
	DefaultMaxBytes      = 256 << 10        // text and addresses of one session
	defaultMaxImageBytes = 8 << 20          // images of one session, stored as data URLs
	DefaultMaxTotalBytes = 64 << 20         // all sessions together
)

// errBusy rejects a turn because the session is still answering another one.
var errBusy = errors.New("session is busy with another turn")

// Config configures a Store. The size of a message consists of its role, text and image addresses.
// Images stored as data URLs have their own limit; a message that loses them is marked with
// ImagesExpired.
type Config struct {
	RejectWhenBusy bool          // reject a turn while its session answers another one; false: the turn waits
	IdleTimeout    time.Duration // a session without turns for this time expires; 0: DefaultIdleTimeout
	// maximal number of messages stored per session, the newest ones; 0: DefaultMaxMessages
	MaxMessages int
	// maximal number of sessions. Above it, the session idle for longest is removed, but never one
	// in use. 0: DefaultMaxSessions
	MaxSessions int
	// maximal bytes of a session without images. The oldest messages are dropped, and each message
	// that alone exceeds the limit. 0: DefaultMaxBytes
	MaxBytes int64
	// maximal bytes of a session's images stored as data URLs; the oldest are dropped; 0:
	// defaultMaxImageBytes
	MaxImageBytes int64
	// maximal bytes of all sessions with their images. Above it, the session idle for longest is
	// removed, but never one in use. 0: DefaultMaxTotalBytes
	MaxTotalBytes int64
}

// Session is the stored memory of one conversation.
type Session struct {
	History []agent.Message // messages of earlier turns, oldest first
	// the user's message of the newest turn, or the message that it repeats with a button; nil: it
	// has been answered
	FailedMessage *agent.Message
}

// Store holds the sessions in memory. Expiry uses the clock of the context, so simulated time
// works. It is safe for concurrent use.
type Store struct {
	cfg Config

	mu   sync.Mutex // guards the fields below; not locked while a turn waits
	used map[string]*activeSession
	idle *simplelru.LRU[string, idleSession] // sessions without turns, ordered by the end of their last turn
	size int64                               // bytes of all sessions, in use or idle
}

type sizedSession struct {
	Session
	size int64
}

// activeSession is a session with a turn that is being answered or waits.
type activeSession struct {
	sizedSession
	turn      *clock.Semaphore
	users     int
	isRunning bool             // a turn is being answered
	late      []func(*Session) // changes to apply after that turn
}

// idleSession is a session without turns. since is the end of its last turn.
type idleSession struct {
	sizedSession
	since time.Time
}

// New returns an empty store. Its errors name the invalid field of cfg.
func New(cfg Config) (*Store, error) {
	switch {
	case cfg.IdleTimeout < 0:
		return nil, fmt.Errorf("session.Config.IdleTimeout: %v is negative", cfg.IdleTimeout)
	case cfg.MaxMessages < 0:
		return nil, fmt.Errorf("session.Config.MaxMessages: %d is negative", cfg.MaxMessages)
	case cfg.MaxSessions < 0:
		return nil, fmt.Errorf("session.Config.MaxSessions: %d is negative", cfg.MaxSessions)
	case cfg.MaxBytes < 0:
		return nil, fmt.Errorf("session.Config.MaxBytes: %d is negative", cfg.MaxBytes)
	case cfg.MaxImageBytes < 0:
		return nil, fmt.Errorf("session.Config.MaxImageBytes: %d is negative", cfg.MaxImageBytes)
	case cfg.MaxTotalBytes < 0:
		return nil, fmt.Errorf("session.Config.MaxTotalBytes: %d is negative", cfg.MaxTotalBytes)
	}
	cfg.IdleTimeout = cmp.Or(cfg.IdleTimeout, DefaultIdleTimeout)
	cfg.MaxMessages = cmp.Or(cfg.MaxMessages, DefaultMaxMessages)
	cfg.MaxSessions = cmp.Or(cfg.MaxSessions, DefaultMaxSessions)
	cfg.MaxBytes = cmp.Or(cfg.MaxBytes, DefaultMaxBytes)
	cfg.MaxImageBytes = cmp.Or(cfg.MaxImageBytes, defaultMaxImageBytes)
	cfg.MaxTotalBytes = cmp.Or(cfg.MaxTotalBytes, DefaultMaxTotalBytes)
	return &Store{cfg: cfg}, nil
}

// open creates the maps at the first use, because each trial has a store and most stores remain
// empty.
func (s *Store) open() (err error) {
	if s.used == nil {
		s.used = map[string]*activeSession{}
		s.idle, err = simplelru.NewLRU(s.cfg.MaxSessions, func(_ string, r idleSession) { s.size -= r.size })
	}
	return err
}

// WithSession waits until earlier turns of the session have ended, calls f, and then stores the
// session that f has modified. The limits of Config are applied.
//
// It returns errBusy if RejectWhenBusy is set and the session is busy. If ctx ends during the wait,
// it returns the error of ctx; otherwise the error of f. f must not call WithSession for the same
// session, because that blocks forever.
func (s *Store) WithSession(ctx context.Context, id string, f func(context.Context, *Session) error) error {
	u, err := s.enter(ctx, id)
	if err != nil {
		return err
	}
	defer s.leave(ctx, id, u)
	return s.withTurn(ctx, u, f)
}

// withTurn waits until earlier turns of a session have ended, and calls f.
func (s *Store) withTurn(ctx context.Context, u *activeSession, f func(context.Context, *Session) error) error {
	if err := u.turn.Acquire(ctx); err != nil {
		return err
	}
	defer u.turn.Release()
	defer s.storeLimited(u) // deferred, so that it also runs after a panic
	defer s.applyLate(u)
	s.mu.Lock()
	u.isRunning = true
	s.mu.Unlock()
	return f(ctx, &u.Session)
}

// amend calls f with the session after the turn that is being answered, before those that wait. It
// does not wait for that turn. The number of calls that wait is limited; more are dropped.
func (s *Store) amend(ctx context.Context, id string, f func(*Session)) error {
	u, err := s.enter(ctx, id)
	if err != nil {
		return err
	}
	defer s.leave(ctx, id, u)
	s.mu.Lock()
	isRunning := u.isRunning
	if isRunning && len(u.late) < s.cfg.MaxMessages {
		u.late = append(u.late, f)
	}
	s.mu.Unlock()
	if isRunning {
		return nil
	}
	return s.withTurn(ctx, u, func(_ context.Context, own *Session) error {
		f(own)
		return nil
	})
}

// applyLate makes the changes to a session that arrived during its turn.
func (s *Store) applyLate(u *activeSession) {
	for f := s.nextLate(u); f != nil; f = s.nextLate(u) {
		f(&u.Session)
	}
}

// nextLate returns the next change to make after a turn. Without one, the turn has ended.
func (s *Store) nextLate(u *activeSession) (f func(*Session)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if u.isRunning = len(u.late) > 0; u.isRunning {
		f, u.late = u.late[0], u.late[1:]
	}
	return f
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
		s.size += r.size // Remove has called the eviction callback, which has subtracted the size
		u = &activeSession{sizedSession: r.sizedSession, turn: clock.NewSemaphore(ctx, "session "+id, 1)}
		s.used[id] = u
		s.trim()
	}
	u.users++
	return u, nil
}

// storeLimited applies the limits to a session after a turn. If the sessions in use exceed
// Config.MaxTotalBytes together, it drops the images of this session.
func (s *Store) storeLimited(u *activeSession) {
	history, size := s.limitHistory(u.History, s.cfg.MaxImageBytes)
	var failed int64
	if u.FailedMessage != nil {
		text, data := messageSize(*u.FailedMessage)
		if failed = text + data; text > s.cfg.MaxBytes || data > s.cfg.MaxImageBytes {
			u.FailedMessage, failed = nil, 0
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.setHistory(u, history, size+failed)
	if s.size > s.cfg.MaxTotalBytes {
		history, size = s.limitHistory(history, 0)
		u.FailedMessage = nil
		s.setHistory(u, history, size)
	}
}

// setHistory sets the history and size of a session and updates the size of all sessions.
func (s *Store) setHistory(u *activeSession, history []agent.Message, size int64) {
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
	if len(u.History) > 0 || u.FailedMessage != nil { // an empty session is not stored
		s.idle.Add(id, idleSession{sizedSession: u.sizedSession, since: clock.Now(ctx)})
		s.trim()
	}
}

// expire removes expired sessions. The idle sessions are ordered, so it stops at the first that has
// not expired.
func (s *Store) expire(ctx context.Context) {
	now := clock.Now(ctx)
	for {
		_, r, ok := s.idle.GetOldest()
		if !ok || now.Sub(r.since) < s.cfg.IdleTimeout {
			return
		}
		s.idle.RemoveOldest()
	}
}

// trim removes the sessions that are idle for longest until the limits on number and size are met.
func (s *Store) trim() {
	for s.idle.Len() > 0 && (s.idle.Len()+len(s.used) > s.cfg.MaxSessions || s.size > s.cfg.MaxTotalBytes) {
		s.idle.RemoveOldest()
	}
}

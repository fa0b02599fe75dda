package conversation

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/session"
)

// Config bounds a store; zero values stand for those of package session.
type Config struct {
	Idle     time.Duration // after which a conversation is forgotten
	Sessions int           // the longest idle is forgotten first
	Messages int           // of one: the oldest are forgotten first, compressed ones before others; 0: 10 times session.DefaultMessages
	Bytes    int           // of one, as Messages
	Total    int           // bytes of all, as Sessions
}

// Store keeps conversations by the ids of their sessions. It stands behind a
// session.Agent, which has the turns of a session come one after the other and gives
// the first its history. A store is safe for concurrent use; a nil one keeps nothing.
type Store struct {
	cfg Config

	mu   sync.Mutex
	kept *simplelru.LRU[string, *Conversation]
	size int // bytes of all
}

// New checks cfg; errors name the field.
func New(cfg Config) (*Store, error) {
	for field, n := range map[string]int{"Idle": int(cfg.Idle), "Sessions": cfg.Sessions, "Messages": cfg.Messages, "Bytes": cfg.Bytes, "Total": cfg.Total} {
		if n < 0 {
			return nil, fmt.Errorf("conversation.Config.%s is negative", field)
		}
	}
	cfg.Idle = cmp.Or(cfg.Idle, session.DefaultIdle)
	cfg.Sessions = cmp.Or(cfg.Sessions, session.DefaultMax)
	cfg.Messages = cmp.Or(cfg.Messages, 10*session.DefaultMessages)
	cfg.Bytes = cmp.Or(cfg.Bytes, session.DefaultBytes)
	cfg.Total = cmp.Or(cfg.Total, session.DefaultTotal)
	s := &Store{cfg: cfg}
	var err error
	s.kept, err = simplelru.NewLRU(cfg.Sessions, func(_ string, c *Conversation) { s.size -= c.bytes() })
	return s, err
}

// Load is the session's conversation, to be added to and saved. One that is not kept,
// and one without an id, begins with the history.
func (s *Store) Load(ctx context.Context, id string, history []agent.Message) *Conversation {
	if s != nil && id != "" {
		s.mu.Lock()
		defer s.mu.Unlock()
		if c, ok := s.kept.Get(id); ok {
			if clock.Since(ctx, c.updated) < s.cfg.Idle {
				return c.clone()
			}
			s.kept.Remove(id)
		}
	}
	c := FromHistory(ctx, history)
	c.id = id
	return c
}

// Save keeps a conversation as it is now, within the bounds. Without an id it is not kept.
func (s *Store) Save(c *Conversation) {
	if s == nil || c.id == "" {
		return
	}
	c = c.clone()
	c.bound(s.cfg.Messages, s.cfg.Bytes)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept.Remove(c.id) // Add does not tell of what it takes the place of
	s.kept.Add(c.id, c)
	s.size += c.bytes()
	for s.size > s.cfg.Total && s.kept.Len() > 0 {
		s.kept.RemoveOldest()
	}
}

// Len counts the conversations that are kept.
func (s *Store) Len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.kept.Len()
}

func (c *Conversation) bytes() (n int) {
	for _, m := range c.messages {
		n += len(m.Content)
	}
	return n
}

// bound forgets the oldest messages while there are too many: compressed ones, then what
// was said, last the summaries.
func (c *Conversation) bound(messages, bytes int) {
	tooMuch := func() bool { return len(c.messages) > messages || c.bytes() > bytes }
	for _, first := range []func(Message) bool{
		func(m Message) bool { return m.IsCompressed },
		func(m Message) bool { return m.Kind != compression },
		func(Message) bool { return true },
	} {
		for i := 0; i < len(c.messages) && tooMuch(); {
			if !first(c.messages[i]) {
				i++
				continue
			}
			c.messages = append(c.messages[:i], c.messages[i+1:]...)
		}
	}
}

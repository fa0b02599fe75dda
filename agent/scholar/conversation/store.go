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

// Config limits a store; zero values: the defaults of package session.
type Config struct {
	Idle     time.Duration // conversations that are idle for longer are deleted
	Sessions int           // maximum number; the longest idle is deleted first
	// Messages is the limit per conversation; 0: 10 times session.DefaultMessages. The oldest are
	// deleted first, compressed ones before others.
	Messages int
	Bytes    int // per conversation, like Messages
	Total    int // bytes of all conversations, like Sessions
}

// Store stores conversations by session id. It is used behind a session.Agent, which serializes the
// turns of a session and passes the history to the first. A store is safe for concurrent use; a nil
// store stores nothing.
type Store struct {
	cfg Config

	mu            sync.Mutex
	conversations *simplelru.LRU[string, *Conversation]
	size          int // bytes of all conversations
}

// New checks cfg; errors name the field.
func New(cfg Config) (*Store, error) {
	for field, n := range map[string]int{"Idle": int(cfg.Idle), "Sessions": cfg.Sessions, "Messages": cfg.Messages,
		"Bytes": cfg.Bytes, "Total": cfg.Total} {
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
	s.conversations, err = simplelru.NewLRU(cfg.Sessions, func(_ string, c *Conversation) { s.size -= c.bytes() })
	return s, err
}

// Load returns a copy of the session's conversation. If it is not stored, or the id is empty, the
// conversation starts with the history.
func (s *Store) Load(ctx context.Context, id string, history []agent.Message) *Conversation {
	if s != nil && id != "" {
		s.mu.Lock()
		defer s.mu.Unlock()
		if c, ok := s.conversations.Get(id); ok {
			if clock.Since(ctx, c.updated) < s.cfg.Idle {
				return c.clone()
			}
			s.conversations.Remove(id)
		}
	}
	c := FromHistory(ctx, history)
	c.id = id
	return c
}

// Save stores a copy of a conversation within the limits. A conversation without an id is not
// stored.
func (s *Store) Save(c *Conversation) {
	if s == nil || c.id == "" {
		return
	}
	c = c.clone()
	c.enforceLimits(s.cfg.Messages, s.cfg.Bytes)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.conversations.Remove(c.id) // Add does not call the eviction callback for a replaced value
	s.conversations.Add(c.id, c)
	s.size += c.bytes()
	for s.size > s.cfg.Total && s.conversations.Len() > 0 {
		s.conversations.RemoveOldest()
	}
}

// Len is the number of stored conversations.
func (s *Store) Len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.conversations.Len()
}

func (c *Conversation) bytes() (n int) {
	for _, m := range c.messages {
		n += len(m.Content)
	}
	return n
}

// enforceLimits deletes the oldest messages while the conversation exceeds the limits: first
// compressed ones, then other messages, finally summaries.
func (c *Conversation) enforceLimits(messages, bytes int) {
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

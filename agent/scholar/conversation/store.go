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

// Config limits the size of a Store. Zero values select the defaults of package session.
type Config struct {
	Idle     time.Duration // a conversation without a turn for this long is deleted
	Sessions int           // number of conversations; the one that is idle longest is deleted first
	// Messages limits the messages of one conversation; 0: 10 times session.DefaultMaxMessages. The
	// oldest are deleted first, compressed messages before others.
	Messages int
	Bytes    int // bytes of the messages of one conversation; excess messages are deleted as with Messages
	Total    int // bytes of all conversations together; excess conversations are deleted as with Sessions
}

// Store stores conversations in memory by session ID. It is safe for concurrent use, but turns of
// one session must not overlap; session.Agent ensures this. A nil Store stores nothing.
type Store struct {
	cfg Config

	mu            sync.Mutex
	conversations *simplelru.LRU[string, *Conversation]
	size          int // bytes of all conversations together
}

// New validates cfg and creates a Store. Errors name the invalid field.
func New(cfg Config) (*Store, error) {
	for field, n := range map[string]int{"Idle": int(cfg.Idle), "Sessions": cfg.Sessions, "Messages": cfg.Messages,
		"Bytes": cfg.Bytes, "Total": cfg.Total} {
		if n < 0 {
			return nil, fmt.Errorf("conversation.Config.%s is negative", field)
		}
	}
	cfg.Idle = cmp.Or(cfg.Idle, session.DefaultIdleTimeout)
	cfg.Sessions = cmp.Or(cfg.Sessions, session.DefaultMaxSessions)
	cfg.Messages = cmp.Or(cfg.Messages, 10*session.DefaultMaxMessages)
	cfg.Bytes = cmp.Or(cfg.Bytes, session.DefaultMaxBytes)
	cfg.Total = cmp.Or(cfg.Total, session.DefaultMaxTotalBytes)
	s := &Store{cfg: cfg}
	var err error
	s.conversations, err = simplelru.NewLRU(cfg.Sessions, func(_ string, c *Conversation) { s.size -= c.bytes() })
	return s, err
}

// Load returns a copy of a session's conversation. If it is not stored or id is empty, Load returns
// a new conversation with the messages of history.
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

// Save stores a copy of a conversation, after deleting messages that exceed the limits. A
// conversation without a session ID is not stored.
func (s *Store) Save(c *Conversation) {
	if s == nil || c.id == "" {
		return
	}
	c = c.clone()
	c.enforceLimits(s.cfg.Messages, s.cfg.Bytes)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.conversations.Remove(c.id) // Add does not call the eviction callback when it replaces a value
	s.conversations.Add(c.id, c)
	s.size += c.bytes()
	for s.size > s.cfg.Total && s.conversations.Len() > 0 {
		s.conversations.RemoveOldest()
	}
}

// Len returns the number of stored conversations.
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

// enforceLimits deletes messages until the conversation is within the limits: first compressed
// messages, then other messages, finally summaries, each oldest first.
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

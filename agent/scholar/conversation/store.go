package conversation

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/database"
	"evalctl/agent/session"
)

// Config limits the size of a Store. Zero values select the defaults of package session.
type Config struct {
	IdleTimeout      time.Duration // a conversation without a turn for this long is deleted
	MaxConversations int           // number of conversations; the one that is idle longest is deleted first
	// MaxMessages limits the messages of one conversation; 0: 10 times session.DefaultMaxMessages.
	// The oldest are deleted first, compressed messages before others.
	MaxMessages   int
	MaxBytes      int // bytes of the messages of one conversation; excess messages are deleted as with MaxMessages
	MaxTotalBytes int // bytes of all conversations together; excess ones are deleted as with MaxConversations
	// stores conversations beyond the process, without the limits IdleTimeout, MaxConversations and
	// MaxTotalBytes; nil: they are stored in memory alone
	Records *database.RecordStore
}

// Store stores conversations by session key, in memory and optionally in a file. It is safe for
// concurrent use, but turns of one session must not overlap; session.Agent ensures this. A nil Store
// stores nothing.
type Store struct {
	cfg Config

	mu            sync.Mutex
	conversations *simplelru.LRU[string, *Conversation]
	size          int // bytes of all conversations together
}

// New validates cfg and creates a Store. Errors name the invalid field.
func New(cfg Config) (*Store, error) {
	for _, limit := range []struct {
		field      string
		isNegative bool
	}{
		{"IdleTimeout", cfg.IdleTimeout < 0},
		{"MaxConversations", cfg.MaxConversations < 0},
		{"MaxMessages", cfg.MaxMessages < 0},
		{"MaxBytes", cfg.MaxBytes < 0},
		{"MaxTotalBytes", cfg.MaxTotalBytes < 0},
	} {
		if limit.isNegative {
			return nil, fmt.Errorf("conversation.Config.%s is negative", limit.field)
		}
	}
	cfg.IdleTimeout = cmp.Or(cfg.IdleTimeout, session.DefaultIdleTimeout)
	cfg.MaxConversations = cmp.Or(cfg.MaxConversations, session.DefaultMaxSessions)
	cfg.MaxMessages = cmp.Or(cfg.MaxMessages, 10*session.DefaultMaxMessages)
	cfg.MaxBytes = cmp.Or(cfg.MaxBytes, session.DefaultMaxBytes)
	cfg.MaxTotalBytes = cmp.Or(cfg.MaxTotalBytes, session.DefaultMaxTotalBytes)
	s := &Store{cfg: cfg}
	var err error
	s.conversations, err = simplelru.NewLRU(cfg.MaxConversations,
		func(_ string, c *Conversation) { s.size -= c.bytes() })
	return s, err
}

// Load returns a copy of a session's conversation. If it is not stored or key is empty, Load returns
// a new conversation with the messages of history. If the file cannot be read, Err of the
// conversation returns the error, and Save does not store it.
func (s *Store) Load(ctx context.Context, key string, history []agent.Message) *Conversation {
	if s != nil && key != "" {
		s.mu.Lock()
		defer s.mu.Unlock()
		if c, ok := s.conversations.Get(key); ok {
			if clock.Since(ctx, c.updated) < s.cfg.IdleTimeout {
				return c.clone()
			}
			s.conversations.Remove(key)
		}
		if c, err := s.loadFile(ctx, key); c != nil || err != nil {
			return cmp.Or(c, &Conversation{err: err})
		}
	}
	c := FromHistory(ctx, history)
	c.key = key
	return c
}

// saved is a conversation in a file.
type saved struct {
	Messages []Message `json:"messages"`
	Created  time.Time `json:"created"`
	Updated  time.Time `json:"updated"`
}

// loadFile returns the conversation of a session in the file; nil if there is none.
func (s *Store) loadFile(ctx context.Context, key string) (*Conversation, error) {
	if s.cfg.Records == nil {
		return nil, nil
	}
	content, ok, err := s.cfg.Records.Load(ctx, key)
	if !ok {
		return nil, err
	}
	var from saved
	if err := json.Unmarshal([]byte(content), &from); err != nil {
		return nil, fmt.Errorf("conversation %.40q: %w", key, err)
	}
	return &Conversation{
		key:      key,
		messages: from.Messages,
		created:  from.Created,
		updated:  from.Updated,
	}, nil
}

func (s *Store) saveFile(c *Conversation) error {
	if s.cfg.Records == nil {
		return nil
	}
	content, err := json.Marshal(saved{Messages: c.messages, Created: c.created, Updated: c.updated})
	if err != nil {
		return err
	}
	return s.cfg.Records.Save(context.Background(), c.key, string(content)) // even if the turn was canceled
}

// Save stores a copy of a conversation, after deleting messages that exceed the limits. A
// conversation without a session key is not stored. It returns an error if the file cannot be
// written; the conversation is then stored in memory.
func (s *Store) Save(c *Conversation) error {
	if s == nil || c.key == "" {
		return nil
	}
	c = c.clone()
	c.enforceLimits(s.cfg.MaxMessages, s.cfg.MaxBytes)
	s.keep(c)
	return s.saveFile(c)
}

// keep stores a conversation in memory.
func (s *Store) keep(c *Conversation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.conversations.Remove(c.key) // Add does not call the eviction callback when it replaces a value
	s.conversations.Add(c.key, c)
	s.size += c.bytes()
	for s.size > s.cfg.MaxTotalBytes && s.conversations.Len() > 0 {
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

// Package conversation stores the messages of a session. It compresses old messages to a summary,
// so that a conversation fits the context window of models.
package conversation

import (
	"context"
	"slices"
	"strings"
	"time"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/tokens"
)

// MessageKind is the sender of a message.
type MessageKind string

const (
	User        MessageKind = "USER"
	Assistant   MessageKind = "ASSISTANT"
	compression MessageKind = "COMPRESSION" // the summary of compressed messages
)

// Role is the role of the kind in a model's request.
func (k MessageKind) Role() string {
	switch k {
	case User:
		return "user"
	case Assistant:
		return "assistant"
	default:
		return "system"
	}
}

func kindOf(role string) MessageKind {
	switch role {
	case "user":
		return User
	case "assistant":
		return Assistant
	default:
		return compression
	}
}

// Message is a message of the user or assistant, or a summary of messages.
type Message struct {
	Kind         MessageKind
	Content      string
	Tokens       int
	IsCompressed bool // part of a later summary and no longer sent to models
}

func newMessage(kind MessageKind, content string) Message {
	return Message{Kind: kind, Content: content, Tokens: tokens.Count(content)}
}

// Statistics are computed from all stored messages of a conversation.
type Statistics struct {
	TotalTokenCount int       `json:"total_token_count"`
	MessageCount    int       `json:"message_count"`
	CreatedAt       time.Time `json:"created_at"`
	UpdatedAt       time.Time `json:"updated_at"`
}

// Conversation contains the messages of a session, oldest first. It belongs to one turn: a Store
// returns and stores copies.
type Conversation struct {
	id               string
	messages         []Message
	created, updated time.Time

	hiddenCount  int  // number of oldest uncompressed messages that windows omit
	hidesSummary bool // windows omit the summary, too
}

// FromHistory creates a conversation from a history. A message of another role than user and
// assistant is a summary.
func FromHistory(ctx context.Context, history []agent.Message) *Conversation {
	c := &Conversation{created: clock.Now(ctx), updated: clock.Now(ctx)}
	for _, m := range history {
		if strings.TrimSpace(m.Content) != "" {
			c.messages = append(c.messages, newMessage(kindOf(m.Role), m.Content))
		}
	}
	return c
}

// Add appends an answered turn.
func (c *Conversation) Add(ctx context.Context, user, assistant string) {
	for _, m := range []Message{newMessage(User, user), newMessage(Assistant, assistant)} {
		if strings.TrimSpace(m.Content) != "" {
			c.messages = append(c.messages, m)
		}
	}
	c.updated = clock.Now(ctx)
}

// AllTurns makes Window return all turns.
const AllTurns = -1

// Window returns the summary, if any, and the newest turns for a model's request; nil for 0 turns.
func (c *Conversation) Window(turns int) []Message {
	if turns == 0 {
		return nil
	}
	summary, messages := c.visible()
	from := 0
	if turns > 0 {
		from = newest(messages, turns)
	}
	return append(summary, messages[from:]...)
}

// Tokens is the number of tokens of the messages that are sent to models.
func (c *Conversation) Tokens() int { return totalTokens(c.Window(AllTurns)) }

// Messages are all stored messages, including compressed ones.
func (c *Conversation) Messages() []Message { return slices.Clone(c.messages) }

// Statistics counts all messages.
func (c *Conversation) Statistics() Statistics {
	return Statistics{
		TotalTokenCount: totalTokens(c.messages),
		MessageCount:    len(c.messages),
		CreatedAt:       c.created,
		UpdatedAt:       c.updated,
	}
}

func (c *Conversation) clone() *Conversation {
	own := *c
	own.messages = slices.Clone(c.messages)
	own.hiddenCount, own.hidesSummary = 0, false
	return &own
}

// active are the messages that are not compressed: summaries, and the messages since.
func (c *Conversation) active() (summary, messages []Message) {
	for _, m := range c.messages {
		switch {
		case m.IsCompressed:
		case m.Kind == compression:
			summary = append(summary, m)
		default:
			messages = append(messages, m)
		}
	}
	return summary, messages
}

// visible are the active messages that are not hidden.
func (c *Conversation) visible() (summary, messages []Message) {
	summary, messages = c.active()
	if c.hidesSummary {
		summary = nil
	}
	return summary, messages[c.hiddenCount:]
}

// hide omits the oldest turns from the windows so that they have at most most tokens, and a summary
// that alone exceeds the limit. It affects this turn only; the messages stay stored.
func (c *Conversation) hide(most int) {
	summary, messages := c.active()
	used := totalTokens(summary)
	if c.hidesSummary = used > most; c.hidesSummary {
		used = 0
	}
	from := len(messages)
	for i, m := range slices.Backward(messages) {
		if used += m.Tokens; used > most {
			break
		}
		if m.Kind == User {
			from = i
		}
	}
	c.hiddenCount = from
}

// newest is the start index of the newest turns. A turn is a message of the user with all that
// follows it.
func newest(messages []Message, turns int) int {
	from := len(messages)
	for i, m := range slices.Backward(messages) {
		if m.Kind == User {
			if turns == 0 {
				break
			}
			from, turns = i, turns-1
		}
	}
	return from
}

func totalTokens(list []Message) (n int) {
	for _, m := range list {
		n += m.Tokens
	}
	return n
}

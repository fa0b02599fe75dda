// Package conversation remembers what was said in a session, and keeps it within the
// context window of models: what is too much is compressed to a summary.
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

// MessageKind is who said a message.
type MessageKind string

const (
	User        MessageKind = "USER"
	Assistant   MessageKind = "ASSISTANT"
	compression MessageKind = "COMPRESSION" // the summary of messages that are compressed
)

// Role is a kind as models are told it.
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

// Message is what one side said, or the summary of what was said.
type Message struct {
	Kind         MessageKind
	Content      string
	Tokens       int
	IsCompressed bool // it stands in a later summary, and is shown to no model any more
}

func newMessage(kind MessageKind, content string) Message {
	return Message{Kind: kind, Content: content, Tokens: tokens.Count(content)}
}

// Statistics are of all of a conversation that is remembered.
type Statistics struct {
	TotalTokenCount int       `json:"total_token_count"`
	MessageCount    int       `json:"message_count"`
	CreatedAt       time.Time `json:"created_at"`
	UpdatedAt       time.Time `json:"updated_at"`
}

// Conversation is what was said in one session, oldest first. It is one turn's own: a
// Store gives and takes copies.
type Conversation struct {
	id               string
	messages         []Message
	created, updated time.Time

	hidden  int  // of the messages that are not compressed, from the oldest: windows are without them
	without bool // windows are without the summary, too
}

// FromHistory begins a conversation with what was said before. A message of another role than
// user and assistant is a summary.
func FromHistory(ctx context.Context, history []agent.Message) *Conversation {
	c := &Conversation{created: clock.Now(ctx), updated: clock.Now(ctx)}
	for _, m := range history {
		if strings.TrimSpace(m.Content) != "" {
			c.messages = append(c.messages, newMessage(kindOf(m.Role), m.Content))
		}
	}
	return c
}

// Add remembers an answered turn.
func (c *Conversation) Add(ctx context.Context, user, assistant string) {
	for _, m := range []Message{newMessage(User, user), newMessage(Assistant, assistant)} {
		if strings.TrimSpace(m.Content) != "" {
			c.messages = append(c.messages, m)
		}
	}
	c.updated = clock.Now(ctx)
}

// AllTurns are the turns that Window shows of a conversation without a limit.
const AllTurns = -1

// Window is what a model is shown of the conversation: the summary, where there is one,
// and the newest turns; nothing of no turns.
func (c *Conversation) Window(turns int) []Message {
	if turns == 0 {
		return nil
	}
	summary, said := c.shown()
	from := 0
	if turns > 0 {
		from = newest(said, turns)
	}
	return append(summary, said[from:]...)
}

// TotalTokenCount are those of the messages that models are shown.
func (c *Conversation) Tokens() int { return sum(c.Window(AllTurns)) }

// MessageCount are all that are remembered, the compressed ones too.
func (c *Conversation) Messages() []Message { return slices.Clone(c.messages) }

// Statistics counts all messages.
func (c *Conversation) Statistics() Statistics {
	return Statistics{TotalTokenCount: sum(c.messages), MessageCount: len(c.messages), CreatedAt: c.created, UpdatedAt: c.updated}
}

func (c *Conversation) clone() *Conversation {
	own := *c
	own.messages = slices.Clone(c.messages)
	own.hidden, own.without = 0, false
	return &own
}

// active are the messages that are not compressed: summaries, and what was said since.
func (c *Conversation) active() (summary, said []Message) {
	for _, m := range c.messages {
		switch {
		case m.IsCompressed:
		case m.Kind == compression:
			summary = append(summary, m)
		default:
			said = append(said, m)
		}
	}
	return summary, said
}

// shown are the active messages without those that are hidden.
func (c *Conversation) shown() (summary, said []Message) {
	summary, said = c.active()
	if c.without {
		summary = nil
	}
	return summary, said[c.hidden:]
}

// hide leaves the oldest turns out of the windows, so that they have at most so many
// tokens, and a summary that has more by itself. That holds for this turn: nothing is
// forgotten.
func (c *Conversation) hide(most int) {
	summary, said := c.active()
	used := sum(summary)
	if c.without = used > most; c.without {
		used = 0
	}
	from := len(said)
	for i, m := range slices.Backward(said) {
		if used += m.Tokens; used > most {
			break
		}
		if m.Kind == User {
			from = i
		}
	}
	c.hidden = from
}

// newest is where the newest turns begin, each a message of the user with all that
// follows it.
func newest(said []Message, turns int) int {
	from := len(said)
	for i, m := range slices.Backward(said) {
		if m.Kind == User {
			if turns == 0 {
				break
			}
			from, turns = i, turns-1
		}
	}
	return from
}

func sum(list []Message) (n int) {
	for _, m := range list {
		n += m.Tokens
	}
	return n
}

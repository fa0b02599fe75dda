// Package conversation stores the messages of chat sessions. It replaces old messages by a summary,
// so that a conversation fits into a model's context window.
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

// MessageKind is the author of a message: the user, the assistant, or the compression, which writes
// summaries.
type MessageKind string

const (
	KindUser      MessageKind = "USER"        // a message of the user
	KindAssistant MessageKind = "ASSISTANT"   // an answer to the user
	compression   MessageKind = "COMPRESSION" // a summary of compressed messages
)

// Role returns the role of such a message in a request to a model.
func (k MessageKind) Role() string {
	switch k {
	case KindUser:
		return "user"
	case KindAssistant:
		return "assistant"
	default:
		return "system"
	}
}

func kindOf(role string) MessageKind {
	switch role {
	case "user":
		return KindUser
	case "assistant":
		return KindAssistant
	default:
		return compression
	}
}

// Message is a message of the user or the assistant, or a summary of older messages.
type Message struct {
	Kind         MessageKind // author of the message
	Content      string
	Tokens       int  // number of tokens of Content
	IsCompressed bool // the message is part of a later summary and is no longer sent to models
}

func newMessage(kind MessageKind, content string) Message {
	return Message{Kind: kind, Content: content, Tokens: tokens.Count(content)}
}

// Statistics contains counts over all stored messages of a conversation, for clients.
type Statistics struct {
	TotalTokenCount int       `json:"total_token_count"`
	MessageCount    int       `json:"message_count"`
	CreatedAt       time.Time `json:"created_at"`
	UpdatedAt       time.Time `json:"updated_at"`
}

// Conversation contains the messages of a session, oldest first. It is not safe for concurrent use;
// a Store returns and stores copies.
type Conversation struct {
	key              string // key of its session in a Store; "": it is not stored
	messages         []Message
	created, updated time.Time
	err              error // why the stored conversation could not be read

	hiddenCount  int  // number of oldest uncompressed messages that ContextMessages omits
	hidesSummary bool // ContextMessages also omits the summary
}

// FromHistory creates a conversation from the messages that a client sent. A message with a role
// other than user and assistant is treated as a summary.
func FromHistory(ctx context.Context, history []agent.Message) *Conversation {
	c := &Conversation{created: clock.Now(ctx), updated: clock.Now(ctx)}
	for _, m := range history {
		if strings.TrimSpace(m.Content) != "" {
			c.messages = append(c.messages, newMessage(kindOf(m.Role), m.Content))
		}
	}
	return c
}

// Add appends the two messages of an answered turn. Blank messages are ignored.
func (c *Conversation) Add(ctx context.Context, user, assistant string) {
	for _, m := range []Message{newMessage(KindUser, user), newMessage(KindAssistant, assistant)} {
		if strings.TrimSpace(m.Content) != "" {
			c.messages = append(c.messages, m)
		}
	}
	c.updated = clock.Now(ctx)
}

// Err returns why the stored conversation could not be read; nil if it was, or if there is none.
func (c *Conversation) Err() error { return c.err }

// AllTurns is the argument with which ContextMessages returns all turns.
const AllTurns = -1

// ContextMessages returns the messages that are sent to a model: the summary of older messages, if
// any, and the newest turns. It returns nil for 0 turns.
func (c *Conversation) ContextMessages(turns int) []Message {
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

// Tokens returns the number of tokens of the messages that ContextMessages(AllTurns) returns.
func (c *Conversation) Tokens() int { return totalTokens(c.ContextMessages(AllTurns)) }

// Messages returns all stored messages, including compressed ones.
func (c *Conversation) Messages() []Message { return slices.Clone(c.messages) }

// Statistics returns counts over all stored messages.
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

// active returns the messages that are not compressed: summaries, and messages of the user and the
// assistant.
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

// visible returns the messages for the next prompt, without those that hide removed: first the
// messages that summarize earlier ones, then the others.
func (c *Conversation) visible() (summary, messages []Message) {
	summary, messages = c.active()
	if c.hidesSummary {
		summary = nil
	}
	return summary, messages[c.hiddenCount:]
}

// hide makes ContextMessages omit the oldest turns, so that it returns up to most tokens. A summary
// that alone has more tokens is also omitted. It affects only this copy; the stored messages remain.
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
		if m.Kind == KindUser {
			from = i
		}
	}
	c.hiddenCount = from
}

// newest returns the index at which the newest turns begin. A turn is a user message with all
// messages that follow it.
func newest(messages []Message, turns int) int {
	from := len(messages)
	for i, m := range slices.Backward(messages) {
		if m.Kind == KindUser {
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

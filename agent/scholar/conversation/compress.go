package conversation

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"evalctl/agent/clock"
	"evalctl/agent/llm"
	"evalctl/agent/tokens"
	"evalctl/agent/trace"
)

// node is the name of compression in the trace.
const node = "compression"

// Trace reasons of a compression: the conversation exceeds the threshold, or the context window is
// full.
const (
	reasonThreshold = "threshold"
	reasonNoRoom    = "context_full"
)

// ContextLimits describes a model's context window and how much of it is reserved, in tokens.
type ContextLimits struct {
	WindowTokens   int // size of the whole window
	ReservedTokens int // tokens for everything except the conversation
}

// threshold returns the size above which a conversation is compressed: 80 % of the window. It also
// limits the input of one compression call.
func (l ContextLimits) threshold() int { return l.WindowTokens * 8 / 10 }

// reason returns why a conversation of used tokens is compressed; "" if it is not. If the reserved
// tokens alone fill the window, compression cannot make room. Then a conversation is compressed
// only above the threshold.
func (l ContextLimits) reason(used int) string {
	room := l.WindowTokens - l.ReservedTokens
	switch {
	case used > l.threshold():
		return reasonThreshold
	case room > 0 && used >= room:
		return reasonNoRoom
	}
	return ""
}

// Summarize returns a summary of a transcript, which may begin with an older summary. A model
// implements it.
type Summarize func(ctx context.Context, transcript string) (string, error)

// maxRounds limits the number of compressions in one turn. A further compression includes messages
// that the previous one left unchanged.
const maxRounds = 3

// Compress replaces the oldest messages by a summary if the conversation is too long for the
// context window. A failed compression is traced and changes nothing. If the conversation then
// still does not fit, ContextMessages omits the oldest messages in this turn. It returns an error
// only if the context ended.
func (c *Conversation) Compress(ctx context.Context, l ContextLimits, summarize Summarize) error {
	for range maxRounds {
		why := l.reason(c.Tokens())
		if why == "" || !c.compressOnce(ctx, l, why, summarize) {
			break
		}
	}
	if room := l.WindowTokens - l.ReservedTokens; room > 0 && c.Tokens() >= room && ctx.Err() == nil {
		c.hideOldest(ctx, room/2)
	}
	return ctx.Err()
}

// hideOldest hides the oldest messages so that ContextMessages returns up to most tokens. It traces
// how many tokens are hidden.
func (c *Conversation) hideOldest(ctx context.Context, most int) {
	before := c.Tokens()
	c.hide(most)
	trace.Emit(ctx, trace.Event{
		Kind:   trace.KindFallback,
		Node:   node,
		From:   node,
		To:     "newest_turns",
		Reason: reasonNoRoom,
		Text:   fmt.Sprintf("%d of %d tokens are left out of this turn", before-c.Tokens(), before),
	})
}

// compressOnce replaces the oldest messages by a summary. It returns false if the call failed or
// the summary would not shorten the conversation.
func (c *Conversation) compressOnce(ctx context.Context, l ContextLimits, why string, summarize Summarize) bool {
	summary, messages := c.active()
	from := firstUncompressed(messages)
	if from == 0 {
		return false
	}
	older := append(summary, messages[:from]...)
	text, err := summarizeInSteps(ctx, older, l.threshold(),
		func(ctx context.Context, transcript string) (text string, err error) {
			err = clock.CatchPanic(node, func() error { text, err = summarize(ctx, transcript); return err })
			return strings.TrimSpace(text), err
		})
	if err == nil && text == "" {
		err = llm.KindEmptyContent
	}
	if err != nil {
		trace.Emit(ctx, trace.Event{
			Kind:   trace.KindNodeError,
			Node:   node,
			Reason: llm.TraceReason(err),
			Text:   excerpt(err.Error()),
		})
		return false
	}
	newSummary := newMessage(compression, text)
	if oldTokens := totalTokens(older); newSummary.Tokens >= oldTokens {
		trace.Emit(ctx, trace.Event{
			Kind:   trace.KindIgnoredInput,
			Node:   node,
			Reason: "not_shorter",
			Text:   excerpt(text),
		})
		return false
	}
	before := c.Tokens()
	c.replace(from, newSummary)
	c.emitCompression(ctx, why, before, messages[from:])
	return true
}

// firstUncompressed returns the index of the first message that stays uncompressed. About the
// newest 30 % of the tokens stay, beginning with a user message. At least one message is
// compressed.
func firstUncompressed(messages []Message) int {
	from := len(messages) * 7 / 10
	for from > 0 && messages[from].Kind != KindUser {
		from--
	}
	if from > 0 {
		return from
	}
	for i := 1; i < len(messages); i++ {
		if messages[i].Kind == KindUser {
			return i
		}
	}
	return len(messages)
}

// replace inserts a summary after the first messages, and marks them and older summaries as
// compressed. first is their number.
func (c *Conversation) replace(first int, summary Message) {
	at := 0
	for i := range c.messages {
		m := &c.messages[i]
		if m.IsCompressed {
			continue
		}
		if m.Kind == compression {
			m.IsCompressed = true
			continue
		}
		if first == 0 {
			break
		}
		m.IsCompressed = true
		first, at = first-1, i+1
	}
	c.messages = append(c.messages[:at], append([]Message{summary}, c.messages[at:]...)...)
}

func (c *Conversation) emitCompression(ctx context.Context, why string, before int, retained []Message) {
	raw, err := json.Marshal(trace.Compression{
		TokensBefore:     before,
		TokensAfter:      c.Tokens(),
		RetainedMessages: len(retained),
		Context:          transcript(c.ContextMessages(AllTurns)),
	})
	if err != nil {
		raw = nil // cannot happen: strings can always be encoded
	}
	trace.Emit(ctx, trace.Event{
		Kind:   trace.KindCompression,
		Node:   node,
		Reason: why,
		Data:   raw,
	})
}

// excerpt returns the first 50 tokens of a text, for the trace.
func excerpt(text string) string { return tokens.Truncate(text[:min(len(text), 1000)], 50) }

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

// node is the node of compression in the trace.
const node = "compression"

// Reasons for a compression, as in its event.
const (
	reasonThreshold = "threshold"
	reasonNoRoom    = "context_full"
)

// ContextLimits are the limits of a model's context window, in tokens.
type ContextLimits struct {
	Context  int // the whole window
	Reserved int // the part for everything except the conversation
}

// threshold is the maximum size of a conversation before compression, and of the input of one
// compression call: 80 % of the window.
func (l ContextLimits) threshold() int { return l.Context * 8 / 10 }

// reason is why a conversation of used tokens is compressed; "": it is not. Compression is not
// attempted if the rest alone fills the window.
func (l ContextLimits) reason(used int) string {
	room := l.Context - l.Reserved
	switch {
	case used > l.threshold():
		return reasonThreshold
	case room > 0 && used >= room:
		return reasonNoRoom
	}
	return ""
}

// Summarize summarizes a transcript, which may start with an older summary.
type Summarize func(ctx context.Context, transcript string) (string, error)

// maxRounds limits the compressions in one turn. A further round compresses older messages that the
// round before left out.
const maxRounds = 3

// Compress replaces the oldest messages by their summary if the conversation does not fit the
// window. A failed compression is traced and leaves the conversation unchanged. If there is still
// no room, this turn omits the oldest messages. It returns an error only if the context ended.
func (c *Conversation) Compress(ctx context.Context, l ContextLimits, summarize Summarize) error {
	for range maxRounds {
		why := l.reason(c.Tokens())
		if why == "" || !c.compressOnce(ctx, l, why, summarize) {
			break
		}
	}
	if room := l.Context - l.Reserved; room > 0 && c.Tokens() >= room && ctx.Err() == nil {
		c.hideOldest(ctx, room/2)
	}
	return ctx.Err()
}

// hideOldest hides excess messages and traces it.
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

// compressOnce compresses once; false: nothing has changed.
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
			Reason: llm.Reason(err),
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

// firstUncompressed is the index of the first message that is not compressed. These are about the
// newest 30 %, from the start of a turn, but never all.
func firstUncompressed(messages []Message) int {
	from := len(messages) * 7 / 10
	for from > 0 && messages[from].Kind != User {
		from--
	}
	if from > 0 {
		return from
	}
	for i := 1; i < len(messages); i++ {
		if messages[i].Kind == User {
			return i
		}
	}
	return len(messages)
}

// replace marks all summaries and the first messages as compressed, and inserts their summary after
// them.
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
		Context:          transcript(c.Window(AllTurns)),
	})
	if err != nil {
		raw = nil // strings can always be encoded
	}
	trace.Emit(ctx, trace.Event{
		Kind:   trace.KindCompression,
		Node:   node,
		Reason: why,
		Data:   raw,
	})
}

// excerpt is the start of an external text.
func excerpt(text string) string { return tokens.Truncate(text[:min(len(text), 1000)], 50) }

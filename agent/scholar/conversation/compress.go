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

// node is under which compression stands in the trace.
const node = "compression"

// Why a conversation is compressed, as its event says.
const (
	reasonThreshold = "threshold"
	reasonNoRoom    = "context_full"
)

// ContextLimits are those of a model's context window, in tokens.
type ContextLimits struct {
	Context  int // all of it
	Reserved int // of it, for all that is not the conversation
}

// threshold is the most that a conversation may have without being compressed, and what
// one call that compresses is shown at most: 80 % of the window.
func (l ContextLimits) threshold() int { return l.Context * 8 / 10 }

// reason is why a conversation of so many tokens is compressed; "": it is not. Where all
// else takes the whole window, that would not help.
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

// Summarize makes a summary of a transcript, which may begin with an older summary.
type Summarize func(ctx context.Context, transcript string) (string, error)

// maxRounds bounds how often one turn compresses: where what was kept is still too much,
// older messages of it are compressed as well.
const maxRounds = 3

// Compress makes the conversation fit the window, where it does not and can: the oldest
// messages are replaced by their summary. What fails leaves it as it was, and is an
// event. Where it leaves no room, this turn goes on without the oldest messages. The
// error is that of a context that has ended.
func (c *Conversation) Compress(ctx context.Context, l ContextLimits, summarize Summarize) error {
	for range maxRounds {
		why := l.reason(c.Tokens())
		if why == "" || !c.round(ctx, l, why, summarize) {
			break
		}
	}
	if room := l.Context - l.Reserved; room > 0 && c.Tokens() >= room && ctx.Err() == nil {
		c.shorten(ctx, room/2)
	}
	return ctx.Err()
}

// shorten hides what is too much, and tells of it.
func (c *Conversation) shorten(ctx context.Context, most int) {
	before := c.Tokens()
	c.hide(most)
	trace.Emit(ctx, trace.Event{Kind: trace.KindFallback, Node: node, From: node, To: "newest_turns", Reason: reasonNoRoom,
		Text: fmt.Sprintf("%d of %d tokens are left out of this turn", before-c.Tokens(), before)})
}

// round compresses once; false: nothing has changed.
func (c *Conversation) round(ctx context.Context, l ContextLimits, why string, summarize Summarize) bool {
	summary, said := c.active()
	from := keptFrom(said)
	if from == 0 {
		return false
	}
	older := append(summary, said[:from]...)
	text, err := inSteps(ctx, older, l.threshold(), func(ctx context.Context, transcript string) (text string, err error) {
		err = clock.CatchPanic(node, func() error { text, err = summarize(ctx, transcript); return err })
		return strings.TrimSpace(text), err
	})
	if err == nil && text == "" {
		err = llm.KindEmptyContent
	}
	if err != nil {
		trace.Emit(ctx, trace.Event{Kind: trace.KindNodeError, Node: node, Reason: llm.Reason(err), Text: beginning(err.Error())})
		return false
	}
	made := newMessage(compression, text)
	if was := sum(older); made.Tokens >= was {
		trace.Emit(ctx, trace.Event{Kind: trace.KindIgnoredInput, Node: node, Reason: "not_shorter", Text: beginning(text)})
		return false
	}
	before := c.Tokens()
	c.replace(from, made)
	c.tell(ctx, why, before, said[from:])
	return true
}

// keptFrom is the first message of those that are kept: the newest 30 %, begun at a whole
// turn, but never all.
func keptFrom(said []Message) int {
	from := len(said) * 7 / 10
	for from > 0 && said[from].Kind != User {
		from--
	}
	if from > 0 {
		return from
	}
	for i := 1; i < len(said); i++ {
		if said[i].Kind == User {
			return i
		}
	}
	return len(said)
}

// replace marks all summaries and the first messages that were said as compressed, and
// puts their summary behind them.
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

func (c *Conversation) tell(ctx context.Context, why string, before int, kept []Message) {
	raw, err := json.Marshal(trace.Compression{TokensBefore: before, TokensAfter: c.Tokens(), RetainedMessages: len(kept), Context: transcript(c.Window(AllTurns))})
	if err != nil {
		raw = nil // texts always can be
	}
	trace.Emit(ctx, trace.Event{Kind: trace.KindCompression, Node: node, Reason: why, Data: raw})
}

// beginning is that of a text that somebody else has written.
func beginning(text string) string { return tokens.Truncate(text[:min(len(text), 1000)], 50) }

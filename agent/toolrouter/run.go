package toolrouter

import (
	"context"
	"fmt"
	"strings"
	"time"

	"evalctl/agent"
	"evalctl/agent/trace"
)

type run struct {
	*Config
	received     agent.Turn // as the user sent it; the chat model sees its text and history
	turn         agent.Turn // what is requested: received, or the unanswered request that it repeats
	disabled     DisabledFeatures
	zone         *time.Location // time zone of the user; nil: that of the clock
	reply        agent.Reply
	content      strings.Builder // text of the answer so far, without banners
	aboutImages  bool            // the turn is about images, so only web search and chat are possible
	looksAtImage bool            // the vision model is to describe images
	chatCalled   bool            // the chat model was called; it is the last fallback
}

// userText returns the text of a turn and the contents of its documents.
func userText(t agent.Turn) string {
	var b strings.Builder
	b.WriteString(t.Text)
	for _, d := range t.Documents {
		fmt.Fprintf(&b, "\n\n【附件 %s】\n%s", d.Name, d.Content)
	}
	return b.String()
}

func (r *run) emitChunk(ctx context.Context, chunk string) {
	r.content.WriteString(chunk)
	trace.Emit(ctx, trace.Event{Kind: trace.KindChunk, Text: chunk})
}

func (r *run) emitBanner(ctx context.Context, banner string) {
	trace.Emit(ctx, trace.Event{Kind: trace.KindBanner, Text: banner})
}

func (r *run) fallback(ctx context.Context, from, to, reason string) {
	trace.Emit(ctx, trace.Event{
		Kind:   trace.KindFallback,
		Node:   from,
		From:   from,
		To:     to,
		Reason: reason,
	})
}

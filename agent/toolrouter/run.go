package toolrouter

import (
	"context"
	"fmt"
	"strings"

	"evalctl/agent"
	"evalctl/agent/trace"
)

// run holds the state of one turn.
type run struct {
	*Config
	turn        agent.Turn
	gates       DisabledFeatures
	reply       agent.Reply
	content     strings.Builder // streamed text, without banners
	aboutImages bool            // the turn is about pictures: its route is web_search or chat
	chatCalled  bool            // the chat model was called; there is no fallback after it
}

// userText returns the user's text and text files.
func (r *run) userText() string {
	var b strings.Builder
	b.WriteString(r.turn.Text)
	for _, d := range r.turn.Documents {
		fmt.Fprintf(&b, "\n\n【附件 %s】\n%s", d.Name, d.Content)
	}
	return b.String()
}

// emitChunk emits a chunk of the answer.
func (r *run) emitChunk(ctx context.Context, chunk string) {
	r.content.WriteString(chunk)
	trace.Emit(ctx, trace.Event{Kind: trace.KindChunk, Text: chunk})
}

// emitBanner emits a banner, which is not part of the answer.
func (r *run) emitBanner(ctx context.Context, banner string) {
	trace.Emit(ctx, trace.Event{Kind: trace.KindBanner, Text: banner})
}

// fallback records that to has replaced from.
func (r *run) fallback(ctx context.Context, from, to, reason string) {
	trace.Emit(ctx, trace.Event{
		Kind:   trace.KindFallback,
		Node:   from,
		From:   from,
		To:     to,
		Reason: reason,
	})
}

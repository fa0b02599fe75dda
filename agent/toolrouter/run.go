package toolrouter

import (
	"context"
	"fmt"
	"strings"

	"evalctl/agent"
	"evalctl/agent/trace"
)

// run is one turn being answered.
type run struct {
	*Config
	turn     agent.Turn
	gates    DisabledFeatures
	reply    agent.Reply
	content  strings.Builder // what was streamed, banners apart
	pictured bool            // the turn is about pictures: its route is web_search or chat
	talked   bool            // the chat model was asked, behind which nothing stands
}

// userText is what the user sent, text files included.
func (r *run) userText() string {
	var b strings.Builder
	b.WriteString(r.turn.Text)
	for _, d := range r.turn.Documents {
		fmt.Fprintf(&b, "\n\n【附件 %s】\n%s", d.Name, d.Content)
	}
	return b.String()
}

// say hands a piece of the answer on.
func (r *run) say(ctx context.Context, chunk string) {
	r.content.WriteString(chunk)
	trace.Emit(ctx, trace.Event{Kind: trace.KindChunk, Text: chunk})
}

// announce hands on a banner, which is no part of the answer.
func (r *run) announce(ctx context.Context, banner string) {
	trace.Emit(ctx, trace.Event{Kind: trace.KindBanner, Text: banner})
}

// fallback notes that to has taken over from what failed.
func (r *run) fallback(ctx context.Context, from, to, reason string) {
	trace.Emit(ctx, trace.Event{Kind: trace.KindFallback, Node: from, From: from, To: to, Reason: reason})
}

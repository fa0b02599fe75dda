package scholar

import (
	"context"

	"evalctl/agent/trace"
)

// emitThought emits a node's explanation as reasoning events, unless the request disables them.
func (r *run) emitThought(ctx context.Context, node, thought string) {
	if r.hideThinking {
		return
	}
	trace.Emit(ctx, trace.Event{Kind: trace.KindThinkingStart, Node: node})
	trace.Emit(ctx, trace.Event{Kind: trace.KindThoughtChunk, Node: node, Text: thought})
	trace.Emit(ctx, trace.Event{Kind: trace.KindThinkingEnd, Node: node})
}

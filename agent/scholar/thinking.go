package scholar

import (
	"context"

	"evalctl/agent/trace"
)

// emitThought emits a reasoning event of a node, unless the user has disabled them.
func (r *run) emitThought(ctx context.Context, node, thought string) {
	if r.hideThinking {
		return
	}
	trace.Emit(ctx, trace.Event{Kind: trace.KindThinkingStart, Node: node})
	trace.Emit(ctx, trace.Event{Kind: trace.KindThoughtChunk, Node: node, Text: thought})
	trace.Emit(ctx, trace.Event{Kind: trace.KindThinkingEnd, Node: node})
}

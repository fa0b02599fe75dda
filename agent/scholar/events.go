package scholar

import (
	"context"
	"strings"

	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// fallback traces that a node or value failed, and what is used in its place.
func fallback(ctx context.Context, node, from, to, reason string) {
	trace.Emit(ctx, trace.Event{
		Kind:   trace.KindFallback,
		Node:   node,
		From:   from,
		To:     to,
		Reason: reason,
	})
}

// traceIgnored traces that an input or result is ignored, and what is used instead.
func traceIgnored(ctx context.Context, node, what, text, to, reason string) {
	trace.Emit(ctx, trace.Event{
		Kind:   trace.KindIgnoredInput,
		Node:   node,
		From:   what,
		To:     to,
		Text:   excerpt(text),
		Reason: reason,
	})
}

// traceFormat traces whether a model's answer has the requested format (reason is "") or why it
// does not.
func traceFormat(ctx context.Context, node, reason, detail string) {
	trace.Emit(ctx, trace.Event{
		Kind:   trace.KindFormCheck,
		Node:   node,
		Reason: reason,
		Text:   excerpt(detail),
	})
}

// nodeError traces the failure of a node, or of the part of its work that what names.
func nodeError(ctx context.Context, node, what string, err error) {
	trace.Emit(ctx, trace.Event{
		Kind:   trace.KindNodeError,
		Node:   node,
		From:   what,
		Reason: llm.TraceReason(err),
		Text:   excerpt(err.Error()),
	})
}

// excerpt returns the first 200 characters of a text for the trace.
func excerpt(text string) string {
	const most = 200
	runes := []rune(strings.ToValidUTF8(text[:min(len(text), 4*most)], "�"))
	if len(runes) <= most && len(text) <= 4*most {
		return string(runes)
	}
	return string(runes[:min(len(runes), most)]) + "…"
}

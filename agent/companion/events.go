package companion

import (
	"context"
	"strings"

	"evalctl/agent/trace"
)

// fallback emits an event that another node or value (to) replaces one that failed (from).
func fallback(ctx context.Context, node, from, to, reason string) {
	trace.Emit(ctx, trace.Event{
		Kind:   trace.KindFallback,
		Node:   node,
		From:   from,
		To:     to,
		Reason: reason,
	})
}

// traceIgnored emits an event for an invalid input (what) that is replaced by to, or ignored.
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

// traceFormat emits an event that shows whether a model's answer has the requested format. reason
// is how it deviates; "": it does not.
func traceFormat(ctx context.Context, node, reason, detail string) {
	trace.Emit(ctx, trace.Event{
		Kind:   trace.KindFormCheck,
		Node:   node,
		Reason: reason,
		Text:   excerpt(detail),
	})
}

// traceFormatResult emits the format event of an answer. invalidPart is the invalid part of the
// answer; "": none. notExact is why a valid answer deviates from the format; "": it does not.
func traceFormatResult(ctx context.Context, node, invalidPart, notExact string) {
	if invalidPart == "" {
		traceFormat(ctx, node, notExact, "")
		return
	}
	traceFormat(ctx, node, wrongSchema, invalidPart)
}

// excerpt returns the first characters of a text for trace events and prompts.
func excerpt(text string) string {
	const limit = 200
	runes := []rune(strings.ToValidUTF8(text, "�"))
	if len(runes) <= limit {
		return string(runes)
	}
	return string(runes[:limit]) + "…"
}

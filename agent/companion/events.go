package companion

import (
	"context"
	"strings"

	"evalctl/agent/trace"
)

// fallback traces that another node or value replaces one that failed.
func fallback(ctx context.Context, node, from, to, reason string) {
	trace.Emit(ctx, trace.Event{
		Kind:   trace.KindFallback,
		Node:   node,
		From:   from,
		To:     to,
		Reason: reason,
	})
}

// traceIgnored traces an input that is not used, and its replacement.
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

// traceFormat traces whether a model's answer matches the format.
func traceFormat(ctx context.Context, node, reason, detail string) {
	trace.Emit(ctx, trace.Event{
		Kind:   trace.KindFormCheck,
		Node:   node,
		Reason: reason,
		Text:   excerpt(detail),
	})
}

// formedAs traces the invalid part of an answer; without one, it traces whether the format is
// exact.
func formedAs(ctx context.Context, node, invalidPart, notExact string) {
	if invalidPart == "" {
		traceFormat(ctx, node, notExact, "")
		return
	}
	traceFormat(ctx, node, wrongSchema, invalidPart)
}

// excerpt is the start of an external text.
func excerpt(text string) string {
	const most = 200
	runes := []rune(strings.ToValidUTF8(text, "�"))
	if len(runes) <= most {
		return string(runes)
	}
	return string(runes[:most]) + "…"
}

package companion

import (
	"context"
	"strings"

	"evalctl/agent/trace"
)

// fallback notes at a node that to has taken over from what failed.
func fallback(ctx context.Context, node, from, to, reason string) {
	trace.Emit(ctx, trace.Event{Kind: trace.KindFallback, Node: node, From: from, To: to, Reason: reason})
}

// unused notes what a model or the user has said that is not made use of, and what
// is taken in its place.
func unused(ctx context.Context, node, what, text, to, reason string) {
	trace.Emit(ctx, trace.Event{Kind: trace.KindIgnoredInput, Node: node, From: what, To: to, Text: piece(text), Reason: reason})
}

// formed notes whether a model's answer was in the form that it was asked for.
func formed(ctx context.Context, node, reason, detail string) {
	trace.Emit(ctx, trace.Event{Kind: trace.KindFormCheck, Node: node, Reason: reason, Text: piece(detail)})
}

// formedAs notes what in an answer was not in form, "" where all of it was, or why the
// form is not the exact one.
func formedAs(ctx context.Context, node, wrong, notExact string) {
	if wrong == "" {
		formed(ctx, node, notExact, "")
		return
	}
	formed(ctx, node, wrongSchema, wrong)
}

// piece is the beginning of a text that somebody else has written.
func piece(text string) string {
	const most = 200
	runes := []rune(strings.ToValidUTF8(text, "�"))
	if len(runes) <= most {
		return string(runes)
	}
	return string(runes[:most]) + "…"
}

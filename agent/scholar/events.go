package scholar

import (
	"context"
	"strings"

	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// fallback notes at a node that to has taken over from what failed.
func fallback(ctx context.Context, node, from, to, reason string) {
	trace.Emit(ctx, trace.Event{Kind: trace.KindFallback, Node: node, From: from, To: to, Reason: reason})
}

// unused notes what somebody has said or found that is not made use of, and what is
// taken in its place.
func unused(ctx context.Context, node, what, text, to, reason string) {
	trace.Emit(ctx, trace.Event{Kind: trace.KindIgnoredInput, Node: node, From: what, To: to, Text: piece(text), Reason: reason})
}

// formed notes whether a model's answer was in the form that it was asked for.
func formed(ctx context.Context, node, reason, detail string) {
	trace.Emit(ctx, trace.Event{Kind: trace.KindFormCheck, Node: node, Reason: reason, Text: piece(detail)})
}

// nodeError notes that a node failed, or what part of its work.
func nodeError(ctx context.Context, node, what string, err error) {
	trace.Emit(ctx, trace.Event{Kind: trace.KindNodeError, Node: node, From: what, Reason: llm.Reason(err), Text: piece(err.Error())})
}

// piece is the beginning of a text that somebody else has written.
func piece(text string) string {
	const most = 200
	runes := []rune(strings.ToValidUTF8(text[:min(len(text), 4*most)], "�"))
	if len(runes) <= most && len(text) <= 4*most {
		return string(runes)
	}
	return string(runes[:min(len(runes), most)]) + "…"
}

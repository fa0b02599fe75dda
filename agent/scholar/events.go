package scholar

import (
	"context"
	"strings"

	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// fallback traces that another node or value replaces one that failed.
func fallback(ctx context.Context, node, from, to, reason string) {
	trace.Emit(ctx, trace.Event{Kind: trace.KindFallback, Node: node, From: from, To: to, Reason: reason})
}

// unused traces an input or result that is not used, and its replacement.
func unused(ctx context.Context, node, what, text, to, reason string) {
	trace.Emit(ctx, trace.Event{Kind: trace.KindIgnoredInput, Node: node, From: what, To: to, Text: piece(text), Reason: reason})
}

// formed traces whether a model's answer matches the format.
func formed(ctx context.Context, node, reason, detail string) {
	trace.Emit(ctx, trace.Event{Kind: trace.KindFormCheck, Node: node, Reason: reason, Text: piece(detail)})
}

// nodeError traces the failure of a node, or of a part of its work.
func nodeError(ctx context.Context, node, what string, err error) {
	trace.Emit(ctx, trace.Event{Kind: trace.KindNodeError, Node: node, From: what, Reason: llm.Reason(err), Text: piece(err.Error())})
}

// piece is the start of an external text.
func piece(text string) string {
	const most = 200
	runes := []rune(strings.ToValidUTF8(text[:min(len(text), 4*most)], "�"))
	if len(runes) <= most && len(text) <= 4*most {
		return string(runes)
	}
	return string(runes[:min(len(runes), most)]) + "…"
}

package studio

import (
	"context"
	"encoding/json"
	"fmt"

	"evalctl/agent/trace"
)

func emitThought(ctx context.Context, node, text string) {
	trace.Emit(ctx, trace.Event{Kind: trace.KindThoughtLog, Node: node, Text: text})
}

// fallback records in the trace that from failed and that to replaces it.
func fallback(ctx context.Context, from, to, reason string) {
	trace.Emit(ctx, trace.Event{
		Kind:   trace.KindFallback,
		Node:   from,
		From:   from,
		To:     to,
		Reason: reason,
	})
}

func emitComponent(ctx context.Context, node string, c component) error {
	raw, err := json.Marshal(c)
	if err != nil {
		return fmt.Errorf("component %s: %w", c.WidgetType, err)
	}
	trace.Emit(ctx, trace.Event{Kind: trace.KindGenUIComponent, Node: node, Data: raw})
	return nil
}

// emitError sends the error of the turn and its message to the user. In the trace, takes is the
// name of what continues in place of the failed node.
func (s *state) emitError(ctx context.Context, node, replacement string) error {
	s.ErrorEmitted = true
	f := s.Error
	if f.Cause != "" {
		fallback(ctx, f.Node, replacement, f.Cause)
	}
	raw, err := json.Marshal(f.WithoutCause())
	if err != nil {
		return fmt.Errorf("error event: %w", err)
	}
	trace.Emit(ctx, trace.Event{Kind: trace.KindError, Node: node, Data: raw})
	s.Content = f.Message
	return emitComponent(ctx, node, message("failed", f.Message))
}

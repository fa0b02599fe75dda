package studio

import (
	"context"
	"encoding/json"
	"fmt"

	"evalctl/agent/trace"
)

// think tells the user of a node's work.
func think(ctx context.Context, node, text string) {
	trace.Emit(ctx, trace.Event{Kind: trace.KindThoughtLog, Node: node, Text: text})
}

// fallback notes that to has taken over from a node that failed.
func fallback(ctx context.Context, from, to, reason string) {
	trace.Emit(ctx, trace.Event{Kind: trace.KindFallback, Node: from, From: from, To: to, Reason: reason})
}

// show hands a component on.
func show(ctx context.Context, node string, c component) error {
	raw, err := json.Marshal(c)
	if err != nil {
		return fmt.Errorf("component %s: %w", c.WidgetType, err)
	}
	trace.Emit(ctx, trace.Event{Kind: trace.KindGenUIComponent, Node: node, Data: raw})
	return nil
}

// apologise tells the user of the error, as node; takes names who took over.
func (s *state) apologise(ctx context.Context, node, takes string) error {
	s.Apologised = true
	f := s.Error
	if f.Cause != "" {
		fallback(ctx, f.Node, takes, f.Cause)
	}
	raw, err := json.Marshal(f.Public())
	if err != nil {
		return fmt.Errorf("error event: %w", err)
	}
	trace.Emit(ctx, trace.Event{Kind: trace.KindError, Node: node, Data: raw})
	s.Content = f.Message
	return show(ctx, node, message("failed", f.Message))
}

package graph

import (
	"context"
	"errors"

	"evalctl/agent/clock"
)

// Run runs the graph from its start node to End in the caller's goroutine. It returns nil, an
// *Error, or *Interrupted if a node interrupted the run for a human. If ctx ends, the run stops
// before the next node.
func (g *Graph[S]) Run(ctx context.Context, s *S) error {
	return g.walk(ctx, g.start, s, make([]string, 0, min(g.maxSteps, 4*len(g.nodes))))
}

// walk runs the graph from n to End. path lists the nodes visited before.
func (g *Graph[S]) walk(ctx context.Context, n *Node[S], s *S, path []string) error {
	for n != nil {
		if err := ctx.Err(); err != nil {
			return &Error{Path: path, Err: err}
		}
		if len(path) >= g.maxSteps {
			return &Error{Path: path, Err: ErrTooManySteps}
		}
		path = append(path, n.Name)
		next, err := g.step(ctx, n, s, path)
		if err != nil {
			return err
		}
		n = next
	}
	return nil
}

// step visits n, which is the last node of path, and returns the next node; nil: the end.
func (g *Graph[S]) step(ctx context.Context, n *Node[S], s *S, path []string) (*Node[S], error) {
	var name string
	err := clock.CatchPanic(n.Name, func() (err error) { // Next and OnError may panic, too
		name, err = n.visit(ctx, s)
		return err
	})
	if stop, ok := errors.AsType[*InterruptError](err); ok {
		return nil, g.interrupt(ctx, s, Checkpoint{Next: n.Name, Path: path, Reason: stop.Checkpoint.Reason})
	}
	if err != nil {
		return nil, &Error{Path: path, Err: err}
	}
	next, err := g.node(name)
	if err == nil && g.save != nil {
		_, err = g.checkpoint(ctx, s, Checkpoint{Next: name, Path: path})
	}
	if err != nil {
		return nil, &Error{Path: path, Err: err}
	}
	return next, nil
}

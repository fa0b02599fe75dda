// Package graph runs the steps of an agent as nodes, one after the other. Each node changes the
// shared state and selects the next node, until one selects End. The number of visits is limited,
// and errors contain the path. A run can be interrupted for a human and resumed from a checkpoint.
package graph

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"evalctl/agent/clock"
)

// End is the name that a node returns as the next node to end the run.
const End = ""

// defaultMaxSteps is the default limit on node visits in a run.
const defaultMaxSteps = 100

// Node is one step of a graph whose state has type S.
type Node[S any] struct {
	Name    string                                // unique in the graph; not empty
	Run     func(ctx context.Context, s *S) error // does the work of the node
	Timeout time.Duration                         // per visit, on the context's clock; 0: none
	Next    func(s *S) string                     // returns the name of the next node; nil: End

	// OnError handles an error, timeout or panic of Run and returns the name of the next node. The
	// run fails if OnError is nil, ok is false, or the caller's context has ended.
	OnError func(s *S, err error) (next string, ok bool)
}

// Config describes the nodes and limits of a graph.
type Config[S any] struct {
	Start    string // name of the first node
	Nodes    []Node[S]
	MaxSteps int // node visits in a run, including those before it was resumed; 0: 100

	// Save stores a checkpoint after every visit; nil: none. An error of Save ends the run.
	Save func(context.Context, Checkpoint) error
}

// Graph is an immutable set of nodes. Concurrent runs may share it, each with its own state.
type Graph[S any] struct {
	nodes    map[string]*Node[S]
	start    *Node[S]
	maxSteps int
	save     func(context.Context, Checkpoint) error
}

// New creates a graph. Its errors name the invalid field of cfg.
func New[S any](cfg Config[S]) (*Graph[S], error) {
	if cfg.MaxSteps < 0 {
		return nil, fmt.Errorf("graph.Config.MaxSteps: %d is negative", cfg.MaxSteps)
	}
	g := &Graph[S]{nodes: map[string]*Node[S]{}, maxSteps: cmp.Or(cfg.MaxSteps, defaultMaxSteps), save: cfg.Save}
	for i, n := range cfg.Nodes {
		if wrong := g.add(n); wrong != "" {
			return nil, fmt.Errorf("graph.Config.Nodes[%d].%s", i, wrong)
		}
	}
	start, known := g.nodes[cfg.Start]
	if !known {
		return nil, fmt.Errorf("graph.Config.Start: no node %q", cfg.Start)
	}
	g.start = start
	return g, nil
}

// add validates n and adds it to the graph. problem describes what is invalid; "": nothing.
func (g *Graph[S]) add(n Node[S]) (problem string) {
	switch _, isDuplicate := g.nodes[n.Name]; {
	case n.Name == End:
		return "Name: empty"
	case isDuplicate:
		return fmt.Sprintf("Name: %q is there twice", n.Name)
	case n.Run == nil:
		return fmt.Sprintf("Run: node %q has none", n.Name)
	case n.Timeout < 0:
		return fmt.Sprintf("Timeout: %v of node %q is negative", n.Timeout, n.Name)
	}
	g.nodes[n.Name] = &n
	return ""
}

// node returns the node with this name; nil for End.
func (g *Graph[S]) node(name string) (*Node[S], error) {
	n, known := g.nodes[name]
	if !known && name != End {
		return nil, fmt.Errorf("no node %q", name)
	}
	return n, nil
}

// visit runs n once and returns the name of the next node.
func (n *Node[S]) visit(ctx context.Context, s *S) (next string, err error) {
	if err = n.run(ctx, s); err == nil {
		if n.Next == nil {
			return End, nil
		}
		return n.Next(s), nil
	}
	if _, stops := errors.AsType[*InterruptError](err); stops || n.OnError == nil || ctx.Err() != nil {
		return "", err
	}
	next, isHandled := n.OnError(s, err)
	if isHandled {
		err = nil
	}
	return next, err
}

// run calls n.Run with the node's timeout and converts a panic to an error.
func (n *Node[S]) run(ctx context.Context, s *S) error {
	if n.Timeout == 0 {
		return clock.CatchPanic(n.Name, func() error { return n.Run(ctx, s) })
	}
	limited, cancel := clock.WithTimeout(ctx, n.Timeout)
	defer cancel()
	err := clock.CatchPanic(n.Name, func() error { return n.Run(limited, s) })
	if err != nil && limited.Err() != nil && ctx.Err() == nil {
		return &timeoutError{after: n.Timeout, err: err}
	}
	return err
}

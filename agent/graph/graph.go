// Package graph runs the nodes of an agent one after the other. Each node works on the shared state
// and selects the next node, until one returns End. Loops are limited, errors contain the path, and
// a run can be interrupted for a human and resumed from a checkpoint, also in another process.
package graph

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"evalctl/agent/clock"
)

// End as the next node ends the run.
const End = ""

// defaultMaxSteps is the default of Options.MaxSteps.
const defaultMaxSteps = 100

// Node is one step of the graph.
type Node[S any] struct {
	Name    string
	Run     func(ctx context.Context, s *S) error
	Timeout time.Duration     // per visit, on the context's clock; 0: none
	Next    func(s *S) string // returns the next node; nil: End

	// OnError handles an error of Run, including its timeout and panic, and returns the next node.
	// The run fails if OnError is nil or ok is false. It is not called after the caller's context
	// has ended.
	OnError func(s *S, err error) (next string, ok bool)
}

// Config describes a graph.
type Config[S any] struct {
	Start    string
	Nodes    []Node[S]
	MaxSteps int // visits of nodes, including those before a resume; 0: 100

	// Save stores the checkpoint after every visit; nil: none. Its error ends the run.
	Save func(context.Context, Checkpoint) error
}

// Graph is immutable. Any number of runs may use it concurrently, each with its own state.
type Graph[S any] struct {
	nodes    map[string]*Node[S]
	start    *Node[S]
	maxSteps int
	save     func(context.Context, Checkpoint) error
}

// New validates cfg. Errors name the field.
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

// add adds n and returns what is wrong with it; "": nothing.
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

// node returns the node with this name; nil: the end.
func (g *Graph[S]) node(name string) (*Node[S], error) {
	n, known := g.nodes[name]
	if !known && name != End {
		return nil, fmt.Errorf("no node %q", name)
	}
	return n, nil
}

// visit runs n once and returns the next node.
func (n *Node[S]) visit(ctx context.Context, s *S) (next string, err error) {
	if err = n.run(ctx, s); err == nil {
		if n.Next == nil {
			return End, nil
		}
		return n.Next(s), nil
	}
	if _, stops := errors.AsType[*Interrupted](err); stops || n.OnError == nil || ctx.Err() != nil {
		return "", err
	}
	next, isHandled := n.OnError(s, err)
	if isHandled {
		err = nil
	}
	return next, err
}

// run calls Run with its timeout.
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

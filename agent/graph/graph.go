// Package graph runs the nodes of an agent one after the other: each works on
// the shared state and says which is next, until one says End. Loops are
// bounded, an error names the path it came by, and a run can stop for a human
// and go on from a checkpoint, also in another process.
package graph

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"evalctl/agent/clock"
)

// End as the next node means that the run is over.
const End = ""

// DefaultMaxSteps bounds a run whose configuration says nothing.
const DefaultMaxSteps = 100

// Node is one station of the graph.
type Node[S any] struct {
	Name    string
	Run     func(ctx context.Context, s *S) error
	Timeout time.Duration     // of one visit, on the context's clock; 0: none
	Next    func(s *S) string // where to go on; nil: End

	// OnError takes over an error of Run, its timeout and its panic included,
	// and says where to go on. The run fails where it is nil or not ok. It is
	// not asked once the caller's context has ended.
	OnError func(s *S, err error) (next string, ok bool)
}

// Config lists what a graph consists of.
type Config[S any] struct {
	Start    string
	Nodes    []Node[S]
	MaxSteps int // visits of nodes, across resumes; 0: DefaultMaxSteps

	// Save keeps the checkpoint after every visit; nil keeps none. Its error
	// ends the run.
	Save func(context.Context, Checkpoint) error
}

// Graph is immutable; any number of runs may use it at once, each with a state
// of its own.
type Graph[S any] struct {
	nodes    map[string]*Node[S]
	start    *Node[S]
	maxSteps int
	save     func(context.Context, Checkpoint) error
}

// New checks cfg; errors name the field.
func New[S any](cfg Config[S]) (*Graph[S], error) {
	if cfg.MaxSteps < 0 {
		return nil, fmt.Errorf("graph.Config.MaxSteps: %d is negative", cfg.MaxSteps)
	}
	g := &Graph[S]{nodes: map[string]*Node[S]{}, maxSteps: cmp.Or(cfg.MaxSteps, DefaultMaxSteps), save: cfg.Save}
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

// add says what is wrong with n, "" where nothing is.
func (g *Graph[S]) add(n Node[S]) (wrong string) {
	switch _, twice := g.nodes[n.Name]; {
	case n.Name == End:
		return "Name: empty"
	case twice:
		return fmt.Sprintf("Name: %q is there twice", n.Name)
	case n.Run == nil:
		return fmt.Sprintf("Run: node %q has none", n.Name)
	case n.Timeout < 0:
		return fmt.Sprintf("Timeout: %v of node %q is negative", n.Timeout, n.Name)
	}
	g.nodes[n.Name] = &n
	return ""
}

// node finds the node of that name; nil is the end.
func (g *Graph[S]) node(name string) (*Node[S], error) {
	n, known := g.nodes[name]
	if !known && name != End {
		return nil, fmt.Errorf("no node %q", name)
	}
	return n, nil
}

// visit runs n once and says where to go on.
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
	next, rescued := n.OnError(s, err)
	if rescued {
		err = nil
	}
	return next, err
}

// run calls Run in its time.
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

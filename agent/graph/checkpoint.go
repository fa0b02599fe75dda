package graph

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	strict "github.com/go-json-experiment/json"
	v1 "github.com/go-json-experiment/json/v1"
)

// Checkpoint is all that a run needs to go on, in this process or another.
type Checkpoint struct {
	Next   string          `json:"next"` // "": the run is over
	Path   []string        `json:"path"` // the nodes visited
	State  json.RawMessage `json:"state"`
	Reason string          `json:"reason,omitempty"` // why a node stopped the run
}

// Interrupted is the error of a run that a node stopped for a human. Resume
// goes on from its checkpoint, with that very node.
type Interrupted struct{ Checkpoint Checkpoint }

func (i *Interrupted) Error() string {
	return fmt.Sprintf("interrupted in %s: %s", i.Checkpoint.Next, i.Checkpoint.Reason)
}

// Interrupt is what a node returns to stop the run for a human. What it has
// written to the state is kept. A node that runs a graph of its own may hand on
// that graph's interruption.
func Interrupt(reason string) error {
	return &Interrupted{Checkpoint: Checkpoint{Reason: reason}}
}

// Resume reads c's state into s and goes on at c.Next. Unknown fields in the
// state are refused; fields of s that are not serialised stay as they are.
func (g *Graph[S]) Resume(ctx context.Context, c Checkpoint, s *S) error {
	n, err := g.node(c.Next)
	if err != nil {
		return fmt.Errorf("resume: %w", err)
	}
	// As encoding/json, which wrote it, but strictly.
	if err := strict.Unmarshal(c.State, s, v1.DefaultOptionsV1(), strict.RejectUnknownMembers(true)); err != nil {
		return fmt.Errorf("resume at %q: state: %w", c.Next, err)
	}
	return g.walk(ctx, n, s, slices.Clone(c.Path)) // c may be resumed twice
}

// checkpoint fills in the state and saves, where the graph saves.
func (g *Graph[S]) checkpoint(ctx context.Context, s *S, c Checkpoint) (Checkpoint, error) {
	c.Path = slices.Clip(c.Path) // the run appends to it
	var err error
	if c.State, err = json.Marshal(s); err != nil {
		return c, fmt.Errorf("checkpoint: %w", err)
	}
	if g.save == nil {
		return c, nil
	}
	if err := g.save(ctx, c); err != nil {
		return c, fmt.Errorf("save checkpoint: %w", err)
	}
	return c, nil
}

func (g *Graph[S]) interrupt(ctx context.Context, s *S, c Checkpoint) error {
	c, err := g.checkpoint(ctx, s, c)
	if err != nil {
		return &Error{Path: c.Path, Err: err}
	}
	return &Interrupted{Checkpoint: c}
}

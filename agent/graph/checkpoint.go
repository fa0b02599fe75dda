package graph

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	strict "github.com/go-json-experiment/json"
	v1 "github.com/go-json-experiment/json/v1"
)

// Checkpoint is the state of a run from which it can be resumed, also in another process.
type Checkpoint struct {
	Next   string          `json:"next"` // "": the run has ended
	Path   []string        `json:"path"` // visited nodes
	State  json.RawMessage `json:"state"`
	Reason string          `json:"reason,omitempty"` // why a node interrupted the run
}

// Interrupted is the error of a run that a node interrupted for a human. Resume continues from its
// checkpoint with the same node.
type Interrupted struct{ Checkpoint Checkpoint }

func (i *Interrupted) Error() string {
	return fmt.Sprintf("interrupted in %s: %s", i.Checkpoint.Next, i.Checkpoint.Reason)
}

// Interrupt returns an error with which a node interrupts the run for a human. Changes to the state
// are kept. A node that runs its own graph may return that graph's interruption.
func Interrupt(reason string) error {
	return &Interrupted{Checkpoint: Checkpoint{Reason: reason}}
}

// Resume decodes c's state into s and continues at c.Next. Unknown fields in the state are an
// error. Fields of s that are not serialized are not changed.
func (g *Graph[S]) Resume(ctx context.Context, c Checkpoint, s *S) error {
	n, err := g.node(c.Next)
	if err != nil {
		return fmt.Errorf("resume: %w", err)
	}
	// Compatible with encoding/json, which wrote it, but strict.
	if err := strict.Unmarshal(c.State, s, v1.DefaultOptionsV1(), strict.RejectUnknownMembers(true)); err != nil {
		return fmt.Errorf("resume at %q: state: %w", c.Next, err)
	}
	return g.walk(ctx, n, s, slices.Clone(c.Path)) // c may be resumed twice
}

// checkpoint adds the state and saves the checkpoint if the graph saves.
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

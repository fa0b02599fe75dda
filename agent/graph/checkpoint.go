package graph

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	strict "github.com/go-json-experiment/json"
	v1 "github.com/go-json-experiment/json/v1"
)

// Checkpoint is a saved point of a run, from which Resume continues, also in another process.
type Checkpoint struct {
	Next   string          `json:"next"`             // next node; "": the run has ended
	Path   []string        `json:"path"`             // names of the visited nodes, in order
	State  json.RawMessage `json:"state"`            // JSON of the shared state
	Reason string          `json:"reason,omitempty"` // why a node interrupted the run
}

// InterruptError is the error of a run that a node interrupted to wait for a human. Resume with its
// checkpoint runs the same node again.
type InterruptError struct{ Checkpoint Checkpoint }

func (i *InterruptError) Error() string {
	return fmt.Sprintf("interrupted in %s: %s", i.Checkpoint.Next, i.Checkpoint.Reason)
}

// Interrupt returns the error with which a node interrupts its run to wait for a human. Changes to
// the state are preserved. A node that runs a graph may return that graph's *Interrupted instead.
func Interrupt(reason string) error {
	return &InterruptError{Checkpoint: Checkpoint{Reason: reason}}
}

// Resume decodes the state of c into s and continues the run at c.Next. Unknown fields in the state
// are an error. Fields of s that JSON does not contain are not changed.
func (g *Graph[S]) Resume(ctx context.Context, c Checkpoint, s *S) error {
	n, err := g.node(c.Next)
	if err != nil {
		return fmt.Errorf("resume: %w", err)
	}
	// Compatible with encoding/json, which wrote the state, but stricter.
	if err := strict.Unmarshal(c.State, s, v1.DefaultOptionsV1(), strict.RejectUnknownMembers(true)); err != nil {
		return fmt.Errorf("resume at %q: state: %w", c.Next, err)
	}
	return g.walk(ctx, n, s, slices.Clone(c.Path)) // a copy, because c may be resumed twice
}

// checkpoint adds the state to a checkpoint, and saves it if the graph has a Save function.
func (g *Graph[S]) checkpoint(ctx context.Context, s *S, c Checkpoint) (Checkpoint, error) {
	c.Path = slices.Clip(c.Path) // so that appending to the path of the run does not change it
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
	return &InterruptError{Checkpoint: c}
}

package graph

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// ErrSteps ends a run that has made as many visits as it may.
var ErrSteps = errors.New("the graph's step bound is reached")

// Error is what ended a run, and the path that led there: its last node is
// where it happened.
type Error struct {
	Path []string
	Err  error
}

func (e *Error) Error() string {
	if len(e.Path) == 0 {
		return e.Err.Error()
	}
	return strings.Join(e.Path, " → ") + ": " + e.Err.Error()
}

func (e *Error) Unwrap() error { return e.Err }

// timeoutError is a node's error after its own timeout: DeadlineExceeded,
// whatever the node made of it.
type timeoutError struct {
	after time.Duration
	err   error
}

func (e *timeoutError) Error() string { return fmt.Sprintf("timeout after %v: %v", e.after, e.err) }

func (e *timeoutError) Unwrap() []error { return []error{context.DeadlineExceeded, e.err} }

package graph

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// ErrSteps ends a run that has reached its limit of visits.
var ErrSteps = errors.New("the graph's step bound is reached")

// Error is the error of a run, with the visited path. The last node is where it happened.
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

// timeoutError is the error of a node after its timeout. It is DeadlineExceeded, regardless of the
// node's own error.
type timeoutError struct {
	after time.Duration
	err   error
}

func (e *timeoutError) Error() string { return fmt.Sprintf("timeout after %v: %v", e.after, e.err) }

func (e *timeoutError) Unwrap() []error { return []error{context.DeadlineExceeded, e.err} }

package graph

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// ErrTooManySteps is the error of a run that has visited Config.MaxSteps nodes without reaching
// End.
var ErrTooManySteps = errors.New("the graph's step bound is reached")

// Error is the error of a run. Path lists the visited nodes; the last one has failed.
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

// timeoutError is the error of a node that exceeded its timeout. errors.Is reports it as
// context.DeadlineExceeded, regardless of the node's own error.
type timeoutError struct {
	after time.Duration
	err   error
}

func (e *timeoutError) Error() string { return fmt.Sprintf("timeout after %v: %v", e.after, e.err) }

func (e *timeoutError) Unwrap() []error { return []error{context.DeadlineExceeded, e.err} }

// Package exit defines the exit codes of evalctl and maps errors to them.
package exit

import (
	"context"
	"errors"
	"syscall"
	"time"

	"evalctl/agent/clock"
)

// These are the exit codes of evalctl. They never change, so that scripts can rely on them. If
// several apply, Incomplete has priority over GateFailed, and GateFailed over Undecided.
const (
	Passed       = 0   // the command succeeded and no gate failed
	GateFailed   = 1   // a gate failed
	InvalidUsage = 2   // the command line or the configuration is invalid
	Incomplete   = 3   // the run is incomplete, all calls failed, or evalctl itself failed
	Undecided    = 4   // a gate is undecided in strict mode, or has too few cases to decide
	Interrupted  = 130 // the user interrupted the command
)

// Error is an error that makes evalctl exit with a specific code.
type Error struct {
	Code int   // exit code
	Err  error // the error itself
}

func (e *Error) Error() string { return e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// ErrGateFailed is returned if a gate failed. It has no details, because the report shows the
// failed gate.
var ErrGateFailed = &Error{Code: GateFailed, Err: errors.New("a gate failed")}

// ErrUndecided is returned if no gate failed but at least one is undecided. It has no details,
// because the report shows the undecided gate.
var ErrUndecided = &Error{Code: Undecided, Err: errors.New("a gate is undecided")}

// ErrInterrupted is returned if the user interrupts the command, for example with Ctrl-C.
var ErrInterrupted = &Error{Code: Interrupted, Err: errors.New("interrupted")}

// InternalError gives err the exit code Incomplete. It is for failures that are not caused by wrong
// usage.
func InternalError(err error) error { return &Error{Code: Incomplete, Err: err} }

// ClassifyDiskError gives err the exit code Incomplete if the cause is a full or failing disk. It
// returns other errors unchanged.
func ClassifyDiskError(err error) error {
	for _, of := range append([]error{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG, syscall.EIO}, diskErrors...) {
		if errors.Is(err, of) {
			return InternalError(err)
		}
	}
	return err
}

// Code returns the exit code for err. An error without a code is a usage error, because evalctl
// checks its input before it runs anything. A canceled context means that the user interrupted the
// command.
func Code(err error) int {
	var e *Error
	switch {
	case err == nil:
		return Passed
	case errors.As(err, &e):
		return e.Code
	case errors.Is(err, context.Canceled):
		return Interrupted
	default:
		return InvalidUsage
	}
}

// stopGrace is how long Await waits for its function after an interruption. In this time the
// function can end the programs that it has started.
const stopGrace = 300 * time.Millisecond

// CallInterruptible calls f and returns its result. If ctx ends first, it returns ErrInterrupted
// after at most stopGrace, because f may not react to ctx. Files that f was writing are then left
// as if the process had been killed.
func CallInterruptible[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		value, err := f()
		done <- outcome{value, err}
	}()
	select {
	case o := <-done:
		return o.value, o.err
	case <-ctx.Done():
		soon, cancel := clock.WithTimeout(context.WithoutCancel(ctx), stopGrace)
		defer cancel()
		select {
		case <-done:
		case <-soon.Done():
		}
		var zero T
		return zero, ErrInterrupted
	}
}

// RunInterruptible is like Await, for a function that returns only an error.
func RunInterruptible(ctx context.Context, f func() error) error {
	_, err := CallInterruptible(ctx, func() (struct{}, error) { return struct{}{}, f() })
	return err
}

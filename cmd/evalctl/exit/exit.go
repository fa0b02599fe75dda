// Package exit maps errors to exit codes.
package exit

import (
	"context"
	"errors"
	"syscall"
	"time"

	"evalctl/agent/clock"
)

// The exit codes are stable, so that scripts can rely on them. If several apply, Incomplete has
// priority over GateFailed, and GateFailed over Undecided.
const (
	Passed      = 0
	GateFailed  = 1 // a gate failed
	Usage       = 2 // invalid usage or configuration
	Incomplete  = 3 // the run is incomplete, all calls failed, or evalctl itself failed
	Undecided   = 4 // a gate is undecided in strict mode, or has too few cases to decide
	Interrupted = 130
)

// Error is an error with an exit code.
type Error struct {
	Code int
	Err  error
}

func (e *Error) Error() string { return e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// ErrGateFailed is returned if a gate failed. The report contains the details.
var ErrGateFailed = &Error{Code: GateFailed, Err: errors.New("a gate failed")}

// ErrUndecided is returned if no gate failed and one is undecided. The report contains the details.
var ErrUndecided = &Error{Code: Undecided, Err: errors.New("a gate is undecided")}

// ErrInterrupted is returned if the user interrupts the command.
var ErrInterrupted = &Error{Code: Interrupted, Err: errors.New("interrupted")}

// InternalError marks an error that the user did not cause.
func InternalError(err error) error { return &Error{Code: Incomplete, Err: err} }

// DiskError marks err as internal if the disk is full or failing. Other errors are returned
// unchanged.
func DiskError(err error) error {
	for _, of := range append([]error{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG, syscall.EIO}, diskErrors...) {
		if errors.Is(err, of) {
			return InternalError(err)
		}
	}
	return err
}

// Code returns the exit code for err. Unmarked errors are usage errors: those of cobra, and those
// found before anything runs.
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
		return Usage
	}
}

// stopGrace is how long Await waits for f after an interruption. In this time f can end the
// programs that it has started.
const stopGrace = 300 * time.Millisecond

// Await waits until f returns or ctx ends. Much of f cannot be interrupted. An interruption leaves
// the same files as a kill.
func Await[T any](ctx context.Context, f func() (T, error)) (T, error) {
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

// Done is Await for a function without a result.
func Done(ctx context.Context, f func() error) error {
	_, err := Await(ctx, func() (struct{}, error) { return struct{}{}, f() })
	return err
}

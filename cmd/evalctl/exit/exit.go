// Package exit says what an error means to the shell.
package exit

import (
	"context"
	"errors"
	"syscall"
	"time"

	"evalctl/agent/clock"
)

// The exit codes, a contract with scripts. Where several apply, Incomplete beats a
// failed gate, which beats an undecided one.
const (
	Passed      = 0
	GateFailed  = 1 // a gate failed
	Usage       = 2 // bad usage or configuration
	Incomplete  = 3 // the run is incomplete, every call failed, or the harness did
	Undecided   = 4 // a gate is undecided where that counts, or could not have been decided
	Interrupted = 130
)

// Error is an error that decides the exit code.
type Error struct {
	Code int
	Err  error
}

func (e *Error) Error() string { return e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// ErrGateFailed is what a run ends with when a gate failed: the report has said so.
var ErrGateFailed = &Error{Code: GateFailed, Err: errors.New("a gate failed")}

// ErrUndecided is what a run ends with when no gate failed and one is undecided: the
// report has said so.
var ErrUndecided = &Error{Code: Undecided, Err: errors.New("a gate is undecided")}

// ErrInterrupted is what ends with its user's wish.
var ErrInterrupted = &Error{Code: Interrupted, Err: errors.New("interrupted")}

// InternalError marks an error that is not the user's.
func InternalError(err error) error { return &Error{Code: Incomplete, Err: err} }

// DiskError marks an error of a disk that is full or fails.
func DiskError(err error) error {
	for _, of := range append([]error{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG, syscall.EIO}, diskErrors...) {
		if errors.Is(err, of) {
			return InternalError(err)
		}
	}
	return err
}

// Code is what err means to the shell. What nobody marked is bad usage: cobra's
// own errors, and all that is found wrong before anything runs.
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

// patience is how long f is still waited for: if it heeds ctx, it ends the programs that it
// has started.
const patience = 300 * time.Millisecond

// Await waits for f, or for ctx to end: much of what f does cannot be interrupted, and
// what it leaves on the disk is what a kill would leave.
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
		soon, cancel := clock.WithTimeout(context.WithoutCancel(ctx), patience)
		defer cancel()
		select {
		case <-done:
		case <-soon.Done():
		}
		var zero T
		return zero, ErrInterrupted
	}
}

// Done is Await for what has no value.
func Done(ctx context.Context, f func() error) error {
	_, err := Await(ctx, func() (struct{}, error) { return struct{}{}, f() })
	return err
}

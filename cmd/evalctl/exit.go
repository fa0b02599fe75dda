package main

import (
	"context"
	"errors"
	"fmt"
)

// The exit codes, a contract with scripts. Where several apply, incomplete
// beats a failed gate.
const (
	exitPassed      = 0
	exitGate        = 1 // a gate failed
	exitUsage       = 2 // bad usage or configuration
	exitIncomplete  = 3 // the run is incomplete, every call failed, or the harness did
	exitInterrupted = 130
)

// exitError is an error that decides the exit code.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string { return e.err.Error() }
func (e *exitError) Unwrap() error { return e.err }

// incomplete marks an error that is not the user's.
func incomplete(err error) error { return &exitError{exitIncomplete, err} }

// exitCode is what err means to the shell. What nobody marked is bad usage:
// cobra's own errors, and all that is found wrong before anything runs.
func exitCode(err error) int {
	var e *exitError
	switch {
	case err == nil:
		return exitPassed
	case errors.As(err, &e):
		return e.code
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	default:
		return exitUsage
	}
}

// errGate is what a run ends with when a gate failed: the report has said so.
var errGate = &exitError{exitGate, errors.New("a gate failed")}

// flagError names the flag that is wrong.
func flagError(flag string, err error) error { return fmt.Errorf("--%s: %w", flag, err) }

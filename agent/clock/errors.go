package clock

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Reasons why a simulation is stopped, and the error of a closed channel.
var (
	ErrHorizon = errors.New("simulated time ran past its horizon of 24 h")
	ErrSteps   = errors.New("simulation took too many steps: livelock")
	ErrClosed  = errors.New("channel is closed")
)

// errStopped is the error of every wait after the simulation has stopped.
var errStopped = errors.New("simulation has been stopped")

// DeadlockError reports that all tasks of a simulation wait for each other.
type DeadlockError struct {
	After time.Duration // simulated time since the start
	Waits []string      // "NAME waits for WHAT", in order of arrival
}

func (e *DeadlockError) Error() string {
	return fmt.Sprintf("deadlock after %v of simulated time: %s", e.After, strings.Join(e.Waits, "; "))
}

// PanicError is a panic recovered in a goroutine.
type PanicError struct {
	Name  string // of the goroutine
	Value any
	Stack []byte
}

func (e *PanicError) Error() string {
	return fmt.Sprintf("panic in %s: %v", e.Name, e.Value)
}

// Unwrap returns the panic value if it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

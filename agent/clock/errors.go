package clock

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// What ends a simulation that would never end.
var (
	ErrHorizon = errors.New("simulated time ran past its horizon of 24 h")
	ErrSteps   = errors.New("simulation took too many steps: livelock")
	ErrClosed  = errors.New("channel is closed")
)

// errStopped meets whoever would wait in a simulation after its stop.
var errStopped = errors.New("simulation has been stopped")

// DeadlockError says that everybody in a simulation waits for somebody.
type DeadlockError struct {
	After time.Duration // simulated time since the start
	Waits []string      // "NAME waits for WHAT", in order of arrival
}

func (e *DeadlockError) Error() string {
	return fmt.Sprintf("deadlock after %v of simulated time: %s", e.After, strings.Join(e.Waits, "; "))
}

// PanicError is a panic caught in a goroutine.
type PanicError struct {
	Name  string // of the goroutine
	Value any
	Stack []byte
}

func (e *PanicError) Error() string {
	return fmt.Sprintf("panic in %s: %v", e.Name, e.Value)
}

// Unwrap gives the panic's value where it was an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

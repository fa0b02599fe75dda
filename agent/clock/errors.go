package clock

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Errors of a simulation that runs too long or too far, and of a closed channel.
var (
	ErrMaxSimulatedTime = errors.New("simulated time ran past its horizon of 24 h") // a simulation reached Horizon
	// a simulation switched too often between tasks
	ErrTooManySteps = errors.New("simulation took too many steps: livelock")
	ErrClosed       = errors.New("channel is closed") // Send on a closed Chan
)

// errStopped is the error of every wait after the simulation was stopped.
var errStopped = errors.New("simulation has been stopped")

// DeadlockError reports that every task of a simulation waits for something that can never happen.
type DeadlockError struct {
	After        time.Duration // simulated time since the start
	BlockedTasks []string      // "NAME waits for WHAT" for each task, in the order in which the waits began
}

func (e *DeadlockError) Error() string {
	return fmt.Sprintf("deadlock after %v of simulated time: %s", e.After, strings.Join(e.BlockedTasks, "; "))
}

// PanicError is a panic that was recovered from a function and is returned as an error.
type PanicError struct {
	Name  string // name of the goroutine or operation
	Value any    // argument of panic
	Stack []byte // stack trace of the goroutine
}

func (e *PanicError) Error() string {
	return fmt.Sprintf("panic in %s: %v", e.Name, e.Value)
}

// Unwrap returns the panic value if it is an error, otherwise nil.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

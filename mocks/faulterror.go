package mocks

import (
	"fmt"
	"net/http"
)

// LocalError is a fault that struck a call which has no wire.
type LocalError struct {
	Component Component
	Kind      Kind
	Status    int // what HTTP would say; 0 where it would say nothing of the fault
}

var _ error = (*LocalError)(nil)

func (e *LocalError) Error() string {
	if e.Status == 0 {
		return fmt.Sprintf("%s: %s", e.Component, e.Kind)
	}
	return fmt.Sprintf("%s: %s (%d)", e.Component, e.Kind, e.Status)
}

// status is what HTTP says of a kind, providers' own ways left aside.
func (k Kind) status() int {
	switch k {
	case ContentBlocked:
		return http.StatusBadRequest
	case Auth:
		return http.StatusUnauthorized
	case NoBalance:
		return http.StatusPaymentRequired
	case TaskEndless:
		return http.StatusRequestTimeout
	case RateLimited, RateLimitedBare:
		return http.StatusTooManyRequests
	case ServerError, TaskFailed:
		return http.StatusInternalServerError
	case Overloaded:
		return http.StatusServiceUnavailable
	}
	return 0
}

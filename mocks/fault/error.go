package fault

import (
	"fmt"
	"net/http"
)

// Error is a fault that struck a call which has no wire.
type Error struct {
	Part   string
	Kind   Kind
	Status int // what HTTP would say; 0 where it would say nothing of the fault
}

var _ error = (*Error)(nil)

func (e *Error) Error() string {
	if e.Status == 0 {
		return fmt.Sprintf("%s: %s", e.Part, e.Kind)
	}
	return fmt.Sprintf("%s: %s (%d)", e.Part, e.Kind, e.Status)
}

// Status is what HTTP says of a kind, providers' own ways left aside.
func (k Kind) Status() int {
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

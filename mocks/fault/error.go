package fault

import (
	"fmt"
	"net/http"
)

// Error is a fault injected into a call inside the process.
type Error struct {
	Part   string
	Kind   Kind
	Status int // the equivalent HTTP status; 0: none
}

var _ error = (*Error)(nil)

func (e *Error) Error() string {
	if e.Status == 0 {
		return fmt.Sprintf("%s: %s", e.Part, e.Kind)
	}
	return fmt.Sprintf("%s: %s (%d)", e.Part, e.Kind, e.Status)
}

// Status returns the usual HTTP status of a kind, regardless of the provider; 0: none.
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

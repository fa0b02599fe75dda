package fault

import (
	"fmt"
	"net/http"
)

// Error is the error of a call inside the process into which a fault was injected.
type Error struct {
	Component string // name of the component
	Kind      Kind   // the injected fault
	Status    int    // the equivalent HTTP status; 0: none
}

var _ error = (*Error)(nil)

func (e *Error) Error() string {
	if e.Status == 0 {
		return fmt.Sprintf("%s: %s", e.Component, e.Kind)
	}
	return fmt.Sprintf("%s: %s (%d)", e.Component, e.Kind, e.Status)
}

// Status returns the HTTP status that most providers return for a kind of fault; 0: none.
func (k Kind) Status() int {
	switch k {
	case ContentBlocked:
		return http.StatusBadRequest
	case Auth:
		return http.StatusUnauthorized
	case NoBalance:
		return http.StatusPaymentRequired
	case TaskNeverEnds:
		return http.StatusRequestTimeout
	case RateLimited, RateLimitedNoRetryAfter:
		return http.StatusTooManyRequests
	case ServerError, TaskFailed:
		return http.StatusInternalServerError
	case Overloaded:
		return http.StatusServiceUnavailable
	}
	return 0
}

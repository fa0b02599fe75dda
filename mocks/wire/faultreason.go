package wire

import "evalctl/mocks/fault"

// ReasonForFault returns which error response a fault causes. ok is false if the fault is not an
// error response, such as a timeout.
func ReasonForFault(k fault.Kind) (reason ErrorReason, ok bool) {
	switch k {
	case fault.RateLimited, fault.RateLimitedNoRetryAfter:
		return RateLimited, true
	case fault.ServerError:
		return ServerError, true
	case fault.Overloaded:
		return Overloaded, true
	case fault.Auth:
		return InvalidAPIKey, true
	case fault.NoBalance:
		return NoBalance, true
	case fault.ContentBlocked:
		return ContentBlocked, true
	}
	return 0, false
}

package wire

import "evalctl/mocks/fault"

// ReasonFor returns which error response a fault causes. ok is false if the fault is not an error
// response, such as a timeout.
func ReasonFor(k fault.Kind) (reason Reason, ok bool) {
	switch k {
	case fault.RateLimited, fault.RateLimitedNoRetryAfter:
		return RateLimited, true
	case fault.ServerError:
		return ServerError, true
	case fault.Overloaded:
		return Overloaded, true
	case fault.Auth:
		return BadKey, true
	case fault.NoBalance:
		return NoBalance, true
	case fault.ContentBlocked:
		return Blocked, true
	}
	return 0, false
}

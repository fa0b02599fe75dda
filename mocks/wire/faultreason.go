package wire

import "evalctl/mocks/fault"

// ReasonFor returns the refusal reason of a fault kind; ok is false if the kind is not a refusal.
func ReasonFor(k fault.Kind) (reason Reason, ok bool) {
	switch k {
	case fault.RateLimited, fault.RateLimitedBare:
		return RateLimited, true
	case fault.ServerError:
		return Broken, true
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

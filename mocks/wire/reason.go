package wire

// Reason is the reason for refusing a request.
type Reason int

const (
	Invalid Reason = iota + 1
	BadJSON
	NoKey
	BadKey
	NoBalance
	Denied
	UnknownPath
	UnknownModel
	WrongMethod
	TooLarge
	Blocked
	RateLimited
	Broken
	Overloaded
	TimedOut
)

func reasonOf(status int) Reason {
	switch status {
	case 401:
		return BadKey
	case 402:
		return NoBalance
	case 403:
		return Denied
	case 404:
		return UnknownModel
	case 405:
		return WrongMethod
	case 408:
		return TimedOut
	case 413:
		return TooLarge
	case 429:
		return RateLimited
	case 0, 500:
		return Broken
	}
	if status > 500 {
		return Overloaded
	}
	return Invalid
}

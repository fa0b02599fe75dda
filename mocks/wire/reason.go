package wire

// Reason is why a simulated provider refuses a request. Each provider has its own status, code and
// message for a reason.
type Reason int

const (
	Invalid   Reason = iota + 1 // invalid parameters
	BadJSON                     // the body is not valid JSON
	NoKey                       // no API key
	BadKey                      // an invalid API key
	NoBalance                   // the account has no credit
	Denied                      // the key has no permission
	UnknownPath
	UnknownModel
	WrongMethod // wrong HTTP method
	TooLarge    // the body is too large
	Blocked     // refused by content moderation
	RateLimited // too many requests
	ServerError // internal server error
	Overloaded  // the server has no capacity
	TimedOut    // the request took too long
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
		return ServerError
	}
	if status > 500 {
		return Overloaded
	}
	return Invalid
}

package wire

// ErrorReason is why a simulated provider refuses a request. Each provider has its own status, code
// and message for a reason.
type ErrorReason int

const (
	InvalidRequest   ErrorReason = iota + 1 // invalid parameters
	BadJSON                                 // the body is not valid JSON
	MissingAPIKey                           // no API key
	InvalidAPIKey                           // an invalid API key
	NoBalance                               // the account has no credit
	PermissionDenied                        // the key has no permission
	UnknownPath
	UnknownModel
	WrongMethod    // wrong HTTP method
	BodyTooLarge   // the body is too large
	ContentBlocked // refused by content moderation
	RateLimited    // too many requests
	ServerError    // internal server error
	Overloaded     // the server has no capacity
	TimedOut       // the request took too long
)

func reasonOf(status int) ErrorReason {
	switch status {
	case 401:
		return InvalidAPIKey
	case 402:
		return NoBalance
	case 403:
		return PermissionDenied
	case 404:
		return UnknownModel
	case 405:
		return WrongMethod
	case 408:
		return TimedOut
	case 413:
		return BodyTooLarge
	case 429:
		return RateLimited
	case 0, 500:
		return ServerError
	}
	if status > 500 {
		return Overloaded
	}
	return InvalidRequest
}

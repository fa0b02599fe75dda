package mocks

// reason is why a request is refused.
type reason int

const (
	invalid reason = iota + 1
	badJSON
	noKey
	badKey
	noBalance
	denied
	unknownPath
	unknownModel
	wrongMethod
	tooLarge
	blocked
	rateLimited
	broken
	overloaded
	timedOut
)

func reasonOf(status int) reason {
	switch status {
	case 401:
		return badKey
	case 402:
		return noBalance
	case 403:
		return denied
	case 404:
		return unknownModel
	case 405:
		return wrongMethod
	case 408:
		return timedOut
	case 413:
		return tooLarge
	case 429:
		return rateLimited
	case 0, 500:
		return broken
	}
	if status > 500 {
		return overloaded
	}
	return invalid
}

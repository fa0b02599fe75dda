package eval

// Tokens counts the input and output tokens that the calls of a trial are billed for.
type Tokens struct {
	In  int64 `json:"in"`
	Out int64 `json:"out"`

	// number of calls that returned at least a part of an answer but no token count
	UnreportedCalls int64 `json:"unreported_calls,omitempty"`
}

package eval

// Tokens counts the tokens of a trial's calls, as billed.
type Tokens struct {
	In  int64 `json:"in"`
	Out int64 `json:"out"`

	// calls with a complete or partial answer but without a token count
	UnreportedCalls int64 `json:"unreported_calls,omitempty"`
}

package eval

// Tokens counts what a trial's calls were billed.
type Tokens struct {
	In  int64 `json:"in"`
	Out int64 `json:"out"`

	UnreportedCalls int64 `json:"unreported_calls,omitempty"` // calls whose answers came, be it in part, without a count
}

package eval

import "evalctl/agent/trace"

// SecondJudgmentTrace is an independent second judgment of a turn's first attempt. It does not use
// the first judgment or later attempts, and does not count toward the turn.
//
// An attempt is sent back because its first score was low, which is partly chance. The second score
// has independent noise. The gain of the next attempt over it therefore excludes regression to the
// mean.
type SecondJudgmentTrace struct {
	Score  *float64      `json:"score"` // null: the judge failed
	Error  string        `json:"error,omitempty"`
	Events []trace.Event `json:"events"`
}

package eval

import "evalctl/agent/trace"

// SecondJudgmentTrace is a second judgement of a turn's first attempt. It knows nothing of
// the first judgement, or of the later attempts, and counts to no turn: an
// attempt goes round because its first score was low, which is partly bad luck;
// the second has luck of its own, and what the next attempt gained over that is
// no return to the mean.
type SecondJudgmentTrace struct {
	Score  *float64      `json:"score"` // null: the judge failed
	Error  string        `json:"error,omitempty"`
	Events []trace.Event `json:"events"`
}

package eval

import "evalctl/agent/trace"

// SecondJudgmentTrace is an independent second judgment of the first attempt in a Critic loop, with
// its event log. The judge does not receive the first judgment or later attempts, and its calls do
// not count toward the turn.
//
// An attempt is sent back because its first score was low, which is partly chance. The second score
// has independent noise. The gain of the next attempt over the second score therefore excludes
// regression to the mean.
type SecondJudgmentTrace struct {
	Score  *float64      `json:"score"`           // second score of the attempt, 0..1; null: the judge failed
	Error  string        `json:"error,omitempty"` // why there is no score; "": there is one
	Events []trace.Event `json:"events"`
}

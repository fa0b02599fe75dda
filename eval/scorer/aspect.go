package scorer

import (
	"fmt"

	"evalctl/agent"
	"evalctl/agent/trace"
	"evalctl/eval"
)

// aspect returns a score of one side of an answer, for a turn from 1; 0: no turn.
func aspect(name string, turn int, v eval.Verdict) eval.Score {
	s := eval.Score{
		Name:        name,
		Turn:        turn,
		IsAttribute: true,
		Verdict:     v,
	}
	if v == eval.Pass {
		s.Value = 1
	}
	return s
}

// labeled scores a side for which only some turns have a label.
type labeled struct {
	name string
	want func(eval.LabeledTurn) (want eval.OneOf, known bool, err error) // known: the turn has the label
	rule func(r agent.Reply, want eval.OneOf) (got string, v eval.Verdict)
}

// score returns the score of the first labeled turn that does not pass, else of the last. After an
// error a conversation no longer follows its labels. A turn that did not run is unscored. For a
// case without the label the score has no name and does not count as missing.
func (l labeled) score(c eval.Case, o eval.Outcome) (eval.Score, error) {
	var score eval.Score
	for i, step := range c.Turns {
		want, known, err := l.want(step)
		if err != nil {
			return aspect(l.name, i+1, eval.Unscored), fmt.Errorf("%s: %w", c.Pos, err)
		}
		if !known {
			continue
		}
		got, v := "", eval.Unscored
		if i < len(o.Turns) {
			got, v = l.rule(o.Turns[i].Reply, want)
		}
		score = aspect(l.name, i+1, v)
		score.Actual, score.Expected = got, want
		if v != eval.Pass {
			break
		}
	}
	return score, nil
}

// streams scores the events of the turns by the first wrong turn. wrong returns the problem of a
// turn's events, "" if none. It skips messages that a later turn answers.
func streams(name string, o eval.Outcome, wrong func([]trace.Event) string) eval.Score {
	score := aspect(name, 0, eval.Unscored)
	for i, turn := range o.Turns {
		if turn.Reply.Batched {
			continue
		}
		reason := wrong(turn.Events)
		score = aspect(name, i+1, eval.PassIf(reason == ""))
		score.Reason = reason
		if reason != "" {
			break
		}
	}
	return score
}

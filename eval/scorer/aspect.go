package scorer

import (
	"fmt"

	"evalctl/agent"
	"evalctl/agent/trace"
	"evalctl/eval"
)

// aspect is a judgement of one side of an answer, of a turn from 1; 0: of none.
func aspect(name string, turn int, v eval.Verdict) eval.Score {
	s := eval.Score{Name: name, Turn: turn, Attribute: true, Verdict: v}
	if v == eval.Pass {
		s.Value = 1
	}
	return s
}

// labeled judges a side of which only some turns have a label.
type labeled struct {
	name string
	want func(eval.LabeledTurn) (want eval.OneOf, known bool, err error) // known: the step has the label
	rule func(r agent.Reply, want eval.OneOf) (got string, v eval.Verdict)
}

// score is of the first labelled turn that does not pass, else of the last: a
// conversation that has gone wrong is no longer the labelled one. A turn that
// was not played is unjudged; a case without the label has no name, and does
// not count as missing.
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

// streams judges what the turns send to a user interface by the first that is
// wrong: wrong says what is the matter with a turn's events, "" when nothing is. A
// message that a later turn's reply answers is sent nothing.
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

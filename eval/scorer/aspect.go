package scorer

import (
	"fmt"

	"evalctl/agent"
	"evalctl/agent/trace"
	"evalctl/eval"
)

// attributeScore returns a score for an attribute of the answer, such as a slot. turn is the number
// of the scored turn, from 1; 0: no turn.
func attributeScore(name string, turn int, v eval.Verdict) eval.Score {
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

// turnScorer scores an attribute that only some turns of a case have an expectation for. It is the
// shared part of several scorers.
type turnScorer struct {
	name string
	// known is false if the turn has no expectation
	want func(eval.LabeledTurn) (want eval.OneOf, known bool, err error)
	rule func(r agent.Reply, want eval.OneOf) (got string, v eval.Verdict)
}

// score returns the score of the first turn that does not pass, or else of the last turn with an
// expectation. After a failed turn, a conversation no longer matches its expectations. A turn that
// did not run is unscored. For a case without an expectation, it returns a score without a name,
// which is not counted.
func (l turnScorer) score(c eval.Case, o eval.Outcome) (eval.Score, error) {
	var score eval.Score
	for i, step := range c.Turns {
		want, known, err := l.want(step)
		if err != nil {
			return attributeScore(l.name, i+1, eval.Unscored), fmt.Errorf("%s: %w", c.Pos, err)
		}
		if !known {
			continue
		}
		got, v := "", eval.Unscored
		if i < len(o.Turns) {
			got, v = l.rule(o.Turns[i].Reply, want)
		}
		score = attributeScore(l.name, i+1, v)
		score.Actual, score.Expected = got, want
		if v != eval.Pass {
			break
		}
	}
	return score, nil
}

// streams scores the event streams of the turns. It returns the score of the first wrong turn, or
// else of the last. wrong describes what is wrong with the events of a turn; "": nothing. A message
// that is answered together with later ones is skipped.
func streams(name string, o eval.Outcome, wrong func([]trace.Event) string) eval.Score {
	score := attributeScore(name, 0, eval.Unscored)
	for i, turn := range o.Turns {
		if turn.Reply.IsDeferred {
			continue
		}
		reason := wrong(turn.Events)
		score = attributeScore(name, i+1, eval.PassIf(reason == ""))
		score.Reason = reason
		if reason != "" {
			break
		}
	}
	return score
}

package scorer

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"golang.org/x/text/unicode/norm"

	"evalctl/eval"
)

// Slot judges one value that the decision names besides the route, such as the
// subject of a picture: right when it holds one of the accepted words; where ""
// is accepted, when it is empty. A case of several turns is right when all of
// its labelled turns are.
type Slot struct {
	Name string // of the slot, in the expectation and in the reply
}

var _ eval.Scorer = Slot{}

// Score leaves a case without the label, and a decision that could not be
// made, unjudged, without a name.
func (s Slot) Score(_ context.Context, c eval.Case, o eval.Outcome) (eval.Score, error) {
	var score eval.Score
	for i, step := range c.Turns {
		want, err := s.want(step)
		if err != nil {
			return score, fmt.Errorf("%s: expect.slots: %w", c.Pos, err)
		}
		if want == nil || score.Verdict == eval.Fail || i >= len(o.Turns) {
			continue
		}
		reply := o.Turns[i].Reply
		if reply.Failure != nil && reply.Slots == nil {
			continue
		}
		score = aspect("slots."+s.Name, i, holds(reply.Slots[s.Name], want))
		score.Got, score.Want = reply.Slots[s.Name], want
	}
	return score, nil
}

func (s Slot) want(step eval.Step) (eval.OneOf, error) {
	if len(step.Want) == 0 {
		return nil, nil
	}
	var expect struct {
		Slots map[string]eval.OneOf `json:"slots"`
	}
	err := json.Unmarshal(step.Want, &expect)
	return expect.Slots[s.Name], err
}

// holds compares without regard to case, width and spaces.
func holds(got string, want eval.OneOf) bool {
	got = fold(got)
	for _, w := range want {
		if w = fold(w); w == got || w != "" && strings.Contains(got, w) {
			return true
		}
	}
	return false
}

func fold(text string) string {
	return strings.Join(strings.Fields(strings.ToLower(norm.NFKC.String(text))), "")
}

// aspect is a judgement of one side of a turn's answer, turn counting from 0.
func aspect(name string, turn int, ok bool) eval.Score {
	s := eval.Score{Name: name, Turn: turn + 1, Aspect: true, Verdict: eval.PassIf(ok)}
	if ok {
		s.Value = 1
	}
	return s
}

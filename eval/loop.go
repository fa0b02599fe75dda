package eval

import (
	"encoding/json"
	"fmt"
	"time"

	"evalctl/agent/trace"
)

// Loop is one round of a Critic loop: an attempt, how it was judged, and what
// the round added to the turn.
type Loop struct {
	Turn           int             `json:"turn"` // from 1
	Loop           int             `json:"loop"` // from 1
	Score          float64         `json:"score"`
	Passed         bool            `json:"passed"`
	Reviewer       string          `json:"reviewer"`
	CriticInput    CriticInput     `json:"critic_input,omitempty"` // what the critic judged by
	Exhausted      bool            `json:"exhausted,omitempty"`    // did not pass, and there may be no further attempt
	Added          Millis          `json:"added_ms"`               // since the review before; of the first, since the turn began
	Calls          int64           `json:"calls"`                  // added, as the next
	CachedCalls    int64           `json:"cached_calls,omitempty"` // of the calls: Added is no time
	Tokens         Tokens          `json:"tokens"`
	Cost           *float64        `json:"cost"`                      // USD added; null: something has no price
	Acceptable     *bool           `json:"acceptable,omitempty"`      // would the user take the labelled picture? absent: unlabelled
	SecondJudgment *SecondJudgment `json:"second_judgment,omitempty"` // of the first attempt of a turn that went round, where it was judged once more
}

// CriticInput is what of an attempt a critic was shown.
type CriticInput = trace.CriticInput

// ShownOther is a picture that is not the one which the label describes: labels
// describe pictures that nobody has painted, which only a simulated critic can be
// shown.
const ShownOther CriticInput = "other_picture"

// SawLabeled tells whether the critic was shown what the label is about.
func (l Loop) SawLabeled() bool { return l.CriticInput == trace.ShownImage }

// ImageLabel labels one attempt: what it shows, the score that a careful reviewer
// gives it, and whether this user would take it.
type ImageLabel struct {
	Description string  `json:"description"`
	Quality     float64 `json:"quality"` // 0..1
	Acceptable  bool    `json:"acceptable"`
}

// ImageLabels labels the step's attempts, the first one first; the last stands
// for all later ones. None where the case has no such labels.
func (s LabeledTurn) ImageLabels() ([]ImageLabel, error) {
	if len(s.Expected) == 0 {
		return nil, nil
	}
	var expect struct {
		Pictures []ImageLabel `json:"images"`
	}
	err := json.Unmarshal(s.Expected, &expect)
	return expect.Pictures, err
}

// loops are the rounds of one turn; real: the critic is a real model.
func loops(turn int, step LabeledTurn, p TurnResult, prices Prices, isReal bool) ([]Loop, error) {
	var list []Loop
	var spent bill
	var last time.Duration
	var cached int64
	for _, e := range p.Events {
		switch {
		case e.Kind == trace.KindSpan && e.Span != nil:
			spent.add(e.Span, prices)
			if e.Span.Cached {
				cached++
			}
		case e.Kind == trace.KindReview && e.Review != nil:
			list = append(list, Loop{Turn: turn, Loop: e.Review.Loop, Score: e.Review.Score, Passed: e.Review.Passed, Reviewer: e.Review.Reviewer, CriticInput: shown(*e.Review, isReal),
				Added: Millis(e.Offset - last), Calls: spent.calls, CachedCalls: cached, Tokens: spent.tokens, Cost: spent.usd()})
			spent, last, cached = bill{}, e.Offset, 0
		case e.Kind == trace.KindLoop && e.Reason == trace.Exhausted && len(list) > 0:
			list[len(list)-1].Exhausted = true
		}
	}
	if len(list) == 0 {
		return nil, nil
	}
	list[0].SecondJudgment = second(p.SecondJudgment, prices)
	images, err := step.ImageLabels()
	if err != nil {
		return list, fmt.Errorf("expect.images: %w", err)
	}
	for i := range list {
		if len(images) > 0 {
			list[i].Acceptable = &images[min(i, len(images)-1)].Acceptable
		}
	}
	return list, nil
}

// shown is what the critic was shown, as labels go; real: it is a real model.
func shown(r trace.Review, isReal bool) CriticInput {
	if isReal && r.CriticInput == trace.ShownImage {
		return ShownOther
	}
	return r.CriticInput
}

// SecondJudgment is what a second judgement came to, and what it took.
type SecondJudgment struct {
	Score  *float64 `json:"score"` // null: the judge failed
	Calls  int64    `json:"calls"`
	Tokens Tokens   `json:"tokens"`
	Cost   *float64 `json:"cost"` // USD; null: something has no price
}

// second is a second judgement without its events; nil of nil.
func second(r *SecondJudgmentTrace, prices Prices) *SecondJudgment {
	if r == nil {
		return nil
	}
	var spent bill
	for _, e := range r.Events {
		if e.Kind == trace.KindSpan && e.Span != nil {
			spent.add(e.Span, prices)
		}
	}
	return &SecondJudgment{Score: r.Score, Calls: spent.calls, Tokens: spent.tokens, Cost: spent.usd()}
}

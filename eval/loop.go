package eval

import (
	"encoding/json"
	"fmt"
	"time"

	"evalctl/agent/trace"
)

// Loop is one round of a Critic loop: an attempt, its score, and what the round added to the turn.
type Loop struct {
	Turn        int         `json:"turn"` // from 1
	Loop        int         `json:"loop"` // from 1
	Score       float64     `json:"score"`
	Passed      bool        `json:"passed"`
	Reviewer    string      `json:"reviewer"`
	CriticInput CriticInput `json:"critic_input,omitempty"` // input that the critic received
	Exhausted   bool        `json:"exhausted,omitempty"`    // did not pass, and no further attempt is allowed
	// time since the review before; for the first, since the start of the turn
	Added Millis `json:"added_ms"`
	// calls of this round; CachedCalls, Tokens and Cost also count this round only
	Calls int64 `json:"calls"`
	// calls answered from the cache; if any, Added is not a latency
	CachedCalls int64    `json:"cached_calls,omitempty"`
	Tokens      Tokens   `json:"tokens"`
	Cost        *float64 `json:"cost"` // USD added; null: a call has no price
	// whether the user would accept the labeled image; absent: no label
	Acceptable *bool `json:"acceptable,omitempty"`
	// second judgment of the first attempt, if the turn had a second round
	SecondJudgment *SecondJudgment `json:"second_judgment,omitempty"`
}

// CriticInput is the part of an attempt that the critic received.
type CriticInput = trace.CriticInput

// ShownOther means that a real critic received a generated image. The label does not describe that
// image, because labels describe images that only a simulated critic can receive.
const ShownOther CriticInput = "other_picture"

// SawLabeled reports whether the critic received the labeled image.
func (l Loop) SawLabeled() bool { return l.CriticInput == trace.ShownImage }

// ImageLabel labels one attempt: its content, the score of a careful reviewer, and whether this
// user would accept it.
type ImageLabel struct {
	Description string  `json:"description"`
	Quality     float64 `json:"quality"` // 0..1
	Acceptable  bool    `json:"acceptable"`
}

// ImageLabels returns the labels of the turn's attempts, the first attempt first. The last label
// also applies to all later attempts. It returns nil if the case has none.
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

// loops returns the rounds of one turn; isReal: the critic is a real model.
func loops(turn int, step LabeledTurn, p TurnResult, prices PriceFunc, isReal bool) ([]Loop, error) {
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
			list = append(list, Loop{
				Turn:        turn,
				Loop:        e.Review.Loop,
				Score:       e.Review.Score,
				Passed:      e.Review.Passed,
				Reviewer:    e.Review.Reviewer,
				CriticInput: criticInput(*e.Review, isReal),
				Added:       Millis(e.Offset - last),
				Calls:       spent.calls,
				CachedCalls: cached,
				Tokens:      spent.tokens,
				Cost:        spent.usd(),
			})
			spent = bill{}
			last = e.Offset
			cached = 0
		case e.Kind == trace.KindLoop && e.Reason == trace.Exhausted && len(list) > 0:
			list[len(list)-1].Exhausted = true
		}
	}
	if len(list) == 0 {
		return nil, nil
	}
	list[0].SecondJudgment = summarizeSecondJudgment(p.SecondJudgment, prices)
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

// criticInput returns the critic's input relative to the label; isReal: the critic is a real model.
func criticInput(r trace.Review, isReal bool) CriticInput {
	if isReal && r.CriticInput == trace.ShownImage {
		return ShownOther
	}
	return r.CriticInput
}

// SecondJudgment is a second, independent verdict on the first attempt of a Critic loop, and its
// cost.
type SecondJudgment struct {
	Score  *float64 `json:"score"` // null: the judge failed
	Calls  int64    `json:"calls"`
	Tokens Tokens   `json:"tokens"`
	Cost   *float64 `json:"cost"` // USD; null: a call has no price
}

// summarizeSecondJudgment summarizes a second judgment without its events; nil for nil.
func summarizeSecondJudgment(r *SecondJudgmentTrace, prices PriceFunc) *SecondJudgment {
	if r == nil {
		return nil
	}
	var spent bill
	for _, e := range r.Events {
		if e.Kind == trace.KindSpan && e.Span != nil {
			spent.add(e.Span, prices)
		}
	}
	return &SecondJudgment{
		Score:  r.Score,
		Calls:  spent.calls,
		Tokens: spent.tokens,
		Cost:   spent.usd(),
	}
}

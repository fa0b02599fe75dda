package eval

import (
	"encoding/json"
	"fmt"
	"time"

	"evalctl/agent/trace"
)

// Round is the record of one round of a Critic loop: an attempt, the critic's score for it, and the
// time, calls and cost that the round added to the turn.
type LoopRound struct {
	Turn     int     `json:"turn"`     // number of the turn, from 1
	Round    int     `json:"loop"`     // number of the round within the turn, from 1
	Score    float64 `json:"score"`    // score that the critic gave, 0..1
	Passed   bool    `json:"passed"`   // the score sufficed, or the critic failed
	Reviewer string  `json:"reviewer"` // kind of the critic; "none": the critic failed
	// what the critic received of the attempt, such as the image or only its description
	CriticInput CriticInput `json:"critic_input,omitempty"`
	// the attempt did not pass, and the loop limit allows no further attempt
	Exhausted bool `json:"exhausted,omitempty"`
	// time since the previous review of this turn, or since its start
	AddedTime Millis `json:"added_ms"`
	// number of calls in this round; CachedCalls, Tokens and Cost also cover this round only
	Calls int64 `json:"calls"`
	// number of calls that the cache answered; if there are any, Added is not a valid latency
	CachedCalls int64    `json:"cached_calls,omitempty"`
	Tokens      Tokens   `json:"tokens"`
	Cost        *float64 `json:"cost"` // cost of the round in USD; null: a call has no price
	// whether the case's user would accept this labeled image; absent: the image has no label
	Acceptable *bool `json:"acceptable,omitempty"`
	// second judgment of the first attempt, if the critic sent it back; in the first round only
	SecondJudgment *SecondJudgment `json:"second_judgment,omitempty"`
}

// CriticInput states what a critic received of an attempt.
type CriticInput = trace.CriticInput

// CriticInputOtherImage means that a real critic received an image that was generated in the trial.
// The case labels another image, which only a simulated critic can receive, so the label does not
// apply.
const CriticInputOtherImage CriticInput = "other_picture"

// SawLabeledImage reports whether the critic received the image that the label of the case describes.
func (l LoopRound) SawLabeledImage() bool { return l.CriticInput == trace.CriticInputImage }

// ImageLabel describes the labeled image of one attempt: its content, the score of a careful
// reviewer, and whether the case's user would accept it.
type ImageLabel struct {
	Description string  `json:"description"`
	Quality     float64 `json:"quality"` // score of a careful reviewer, 0..1
	Acceptable  bool    `json:"acceptable"`
}

// ImageLabels returns the labels of the turn's attempts in order. The last label also applies to
// all later attempts. The result is nil if the case has no such labels.
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

// loops returns the Critic loop rounds of a turn; isReal means that the critic is a real model.
func loops(turn int, step LabeledTurn, p TurnResult, prices PriceFunc, isReal bool) ([]LoopRound, error) {
	var list []LoopRound
	var spent bill
	var last time.Duration
	var cached int64
	for _, e := range p.Events {
		switch {
		case e.Kind == trace.KindSpan && e.Span != nil:
			spent.add(e.Span, prices)
			if e.Span.FromCache {
				cached++
			}
		case e.Kind == trace.KindReview && e.Review != nil:
			list = append(list, LoopRound{
				Turn:        turn,
				Round:       e.Review.Loop,
				Score:       e.Review.Score,
				Passed:      e.Review.Passed,
				Reviewer:    e.Review.Reviewer,
				CriticInput: criticInput(*e.Review, isReal),
				AddedTime:   Millis(e.Offset - last),
				Calls:       spent.calls,
				CachedCalls: cached,
				Tokens:      spent.tokens,
				Cost:        spent.usd(),
			})
			spent = bill{}
			last = e.Offset
			cached = 0
		case e.Kind == trace.KindCriticLoop && e.Reason == trace.ReasonMaxRounds && len(list) > 0:
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

// criticInput returns what the critic received. isReal means that the critic is a real model, which
// never receives the labeled image.
func criticInput(r trace.Review, isReal bool) CriticInput {
	if isReal && r.CriticInput == trace.CriticInputImage {
		return CriticInputOtherImage
	}
	return r.CriticInput
}

// SecondJudgment is an independent second score of the first attempt in a Critic loop, with its
// cost. Compared with this score, the measured gain of later attempts contains no regression to the
// mean.
type SecondJudgment struct {
	Score  *float64 `json:"score"` // second score of the first attempt, 0..1; null: the judge failed
	Calls  int64    `json:"calls"`
	Tokens Tokens   `json:"tokens"`
	Cost   *float64 `json:"cost"` // cost in USD; null: a call has no price
}

// summarizeSecondJudgment returns the score and the cost of a second judgment; nil for nil.
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

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
	Turn      int      `json:"turn"` // from 1
	Loop      int      `json:"loop"` // from 1
	Score     float64  `json:"score"`
	Passed    bool     `json:"passed"`
	By        string   `json:"reviewer"`
	Shown     Shown    `json:"critic_input,omitempty"` // what the critic judged by
	Exhausted bool     `json:"exhausted,omitempty"`    // did not pass, and there may be no further attempt
	Added     Millis   `json:"added_ms"`               // since the review before; of the first, since the turn began
	Calls     int64    `json:"calls"`                  // added, as the next
	Cached    int64    `json:"cached_calls,omitempty"` // of the calls: Added is no time
	Tokens    Tokens   `json:"tokens"`
	Cost      *float64 `json:"cost"`                      // USD added; null: something has no price
	Good      *bool    `json:"acceptable,omitempty"`      // would the user take the labelled picture? absent: unlabelled
	Second    *Second  `json:"second_judgment,omitempty"` // of the first attempt of a turn that went round, where it was judged once more
}

// Shown is what of an attempt a critic was shown.
type Shown = trace.Shown

// ShownOther is a picture that is not the one which the label describes: labels
// describe pictures that nobody has painted, which only a simulated critic can be
// shown.
const ShownOther Shown = "other_picture"

// SawLabelled tells whether the critic was shown what the label is about.
func (l Loop) SawLabelled() bool { return l.Shown == trace.ShownPicture }

// Picture labels one attempt: what it shows, the score that a careful reviewer
// gives it, and whether this user would take it.
type Picture struct {
	Shows   string  `json:"description"`
	Quality float64 `json:"quality"` // 0..1
	Good    bool    `json:"acceptable"`
}

// Pictures labels the step's attempts, the first one first; the last stands
// for all later ones. None where the case has no such labels.
func (s Step) Pictures() ([]Picture, error) {
	if len(s.Want) == 0 {
		return nil, nil
	}
	var expect struct {
		Pictures []Picture `json:"images"`
	}
	err := json.Unmarshal(s.Want, &expect)
	return expect.Pictures, err
}

// loops are the rounds of one turn; real: the critic is a real model.
func loops(turn int, step Step, p Played, prices Prices, isReal bool) ([]Loop, error) {
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
			list = append(list, Loop{Turn: turn, Loop: e.Review.Loop, Score: e.Review.Score, Passed: e.Review.Passed, By: e.Review.By, Shown: shown(*e.Review, isReal),
				Added: Millis(e.At - last), Calls: spent.calls, Cached: cached, Tokens: spent.tokens, Cost: spent.dollars()})
			spent, last, cached = bill{}, e.At, 0
		case e.Kind == trace.KindLoop && e.Reason == trace.Exhausted && len(list) > 0:
			list[len(list)-1].Exhausted = true
		}
	}
	if len(list) == 0 {
		return nil, nil
	}
	list[0].Second = second(p.Second, prices)
	pictures, err := step.Pictures()
	if err != nil {
		return list, fmt.Errorf("expect.images: %w", err)
	}
	for i := range list {
		if len(pictures) > 0 {
			list[i].Good = &pictures[min(i, len(pictures)-1)].Good
		}
	}
	return list, nil
}

// shown is what the critic was shown, as labels go; real: it is a real model.
func shown(r trace.Review, isReal bool) Shown {
	if isReal && r.Shown == trace.ShownPicture {
		return ShownOther
	}
	return r.Shown
}

// Second is what a second judgement came to, and what it took.
type Second struct {
	Score  *float64 `json:"score"` // null: the judge failed
	Calls  int64    `json:"calls"`
	Tokens Tokens   `json:"tokens"`
	Cost   *float64 `json:"cost"` // USD; null: something has no price
}

// second is a second judgement without its events; nil of nil.
func second(r *Rejudged, prices Prices) *Second {
	if r == nil {
		return nil
	}
	var spent bill
	for _, e := range r.Events {
		if e.Kind == trace.KindSpan && e.Span != nil {
			spent.add(e.Span, prices)
		}
	}
	return &Second{Score: r.Score, Calls: spent.calls, Tokens: spent.tokens, Cost: spent.dollars()}
}

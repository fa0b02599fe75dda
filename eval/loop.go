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
	By        string   `json:"by"`
	Exhausted bool     `json:"exhausted,omitempty"` // did not pass, and there may be no further attempt
	Added     Millis   `json:"added_ms"`            // since the review before; of the first, since the turn began
	Calls     int64    `json:"calls"`               // added, as the next
	Tokens    Tokens   `json:"tokens"`
	Cost      *float64 `json:"cost"`           // USD added; null: something has no price
	Good      *bool    `json:"good,omitempty"` // would the user take it? absent: unlabelled
}

// Picture labels one attempt: what it shows, the score that a careful reviewer
// gives it, and whether this user would take it.
type Picture struct {
	Shows   string  `json:"shows"`
	Quality float64 `json:"quality"` // 0..1
	Good    bool    `json:"good"`
}

// Pictures labels the step's attempts, the first one first; the last stands
// for all later ones. None where the case has no such labels.
func (s Step) Pictures() ([]Picture, error) {
	if len(s.Want) == 0 {
		return nil, nil
	}
	var expect struct {
		Pictures []Picture `json:"pictures"`
	}
	err := json.Unmarshal(s.Want, &expect)
	return expect.Pictures, err
}

// loops are the rounds of one turn.
func loops(turn int, step Step, events []trace.Event, prices Prices) ([]Loop, error) {
	var list []Loop
	var spent bill
	var last time.Duration
	for _, e := range events {
		switch {
		case e.Kind == trace.KindSpan && e.Span != nil:
			spent.add(e.Span, prices)
		case e.Kind == trace.KindReview && e.Review != nil:
			list = append(list, Loop{Turn: turn, Loop: e.Review.Loop, Score: e.Review.Score, Passed: e.Review.Passed, By: e.Review.By,
				Added: Millis(e.At - last), Calls: spent.calls, Tokens: spent.tokens, Cost: spent.dollars()})
			spent, last = bill{}, e.At
		case e.Kind == trace.KindLoop && e.Reason == trace.Exhausted && len(list) > 0:
			list[len(list)-1].Exhausted = true
		}
	}
	if len(list) == 0 {
		return nil, nil
	}
	pictures, err := step.Pictures()
	if err != nil {
		return list, fmt.Errorf("expect.pictures: %w", err)
	}
	for i := range list {
		if len(pictures) > 0 {
			list[i].Good = &pictures[min(i, len(pictures)-1)].Good
		}
	}
	return list, nil
}

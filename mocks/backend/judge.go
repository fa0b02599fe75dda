package backend

import (
	"evalctl/mocks/model"
)

// judge is a critic who scores pictures by their labels. try makes its nth
// answer to a text that of a turn.
func judge(find finder, try func(text string, nth int) int, spread float64, seed uint64) *model.Judge {
	return &model.Judge{Threshold: passMark, Spread: spread, Seed: seed,
		Quality: func(r model.Request, nth int) float64 { return quality(find, r.Text, try(r.Text, nth)) }}
}

// A simulated critic passes what scores higher than passMark, and finds
// pictures without labels fair.
const (
	passMark    = 0.7
	fairQuality = 0.85
)

// quality is the label of the nth picture that a text led to.
func quality(find finder, text string, nth int) float64 {
	s, _ := find(text)
	pictures, err := s.Pictures()
	if err != nil || len(pictures) == 0 {
		return fairQuality
	}
	return pictures[min(nth, len(pictures))-1].Quality
}

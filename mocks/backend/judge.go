package backend

import (
	"strings"

	"evalctl/mocks/model"
	"evalctl/mocks/random"
)

// judge is a critic who knows of an attempt what a request shows. try makes its
// nth answer to a text that of a turn.
func judge(find finder, try func(text string, nth int) int, spread float64, seed uint64) *model.Judge {
	return &model.Judge{Threshold: passMark, Spread: spread, Seed: seed,
		Quality: func(r model.Request, nth int) float64 { return quality(find, r, try(r.Text, nth)) }}
}

// passMark is the score above which a simulated critic says that it passes.
const passMark = 0.7

// quality is the label of the picture that is shown, the nth that a text led to.
// Where none is shown, or it has no label, the words decide, which are the same
// for every attempt.
func quality(find finder, r model.Request, nth int) float64 {
	if r.Images > 0 {
		s, _ := find(r.Text)
		if pictures, err := s.Pictures(); err == nil && len(pictures) > 0 {
			return pictures[min(nth, len(pictures))-1].Quality
		}
	}
	return promise(r)
}

// How good the pictures are that words promise: fair, some better than others.
const (
	fairPromise   = 0.75
	promiseSpread = 0.1
)

// promise is what a critic makes of the words alone: the same for the same words,
// whoever asks.
func promise(r model.Request) float64 {
	var words strings.Builder
	for _, m := range r.Messages {
		words.WriteString(m.Role + "\x00" + m.Text + "\x00")
	}
	d := random.Dice{Seed: random.Hash(0, words.String())}
	return min(max(fairPromise+promiseSpread*d.Normal(), 0), 1)
}

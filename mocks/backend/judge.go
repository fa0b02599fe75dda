package backend

import (
	"strings"

	"evalctl/mocks/model"
	"evalctl/mocks/random"
)

// judge is a critic who knows of an attempt what a request shows. try makes its
// nth answer to a text that of a turn.
func judge(find finder, try func(text string, nth int) int, spread float64, seeds seeds) *model.SimulatedCritic {
	return &model.SimulatedCritic{Threshold: passMark, Noise: spread, Seed: seeds.perEpoch,
		Quality: func(r model.Request, nth int) float64 { return quality(find, r, try(r.Text, nth), seeds.perCase) }}
}

// passMark is the score above which a simulated critic says that it passes.
const passMark = 0.7

// quality is the label of the picture that is shown, the nth that a text led to.
// Where none is shown, or it has no label, all attempts of a turn have the same quality.
func quality(find finder, r model.Request, nth int, seed uint64) float64 {
	if r.Images > 0 {
		s, _ := find(r.Text)
		if images, err := s.ImageLabels(); err == nil && len(images) > 0 {
			return images[min(nth, len(images))-1].Quality
		}
	}
	return promise(r, seed)
}

// How good the pictures are that words promise: fair, some better than others.
const (
	fairPromise   = 0.75
	promiseSpread = 0.1
)

// promise is the quality of the turn's pictures for a critic that does not see them. Outside a
// trial it follows from the words of the request.
func promise(r model.Request, seed uint64) float64 {
	if r.Place != (model.Place{}) {
		seed = random.Hash(model.Place{Turn: r.Place.Turn}.Seed(seed, r.Part), "quality")
	} else {
		var words strings.Builder
		for _, m := range r.Messages {
			words.WriteString(m.Role + "\x00" + m.Text + "\x00")
		}
		seed = random.Hash(0, words.String())
	}
	d := random.Rand{Seed: seed}
	return min(max(fairPromise+promiseSpread*d.NormFloat64(), 0), 1)
}

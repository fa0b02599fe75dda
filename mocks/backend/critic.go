package backend

import (
	"strings"

	"evalctl/mocks/model"
	"evalctl/mocks/random"
)

// newCritic returns a critic that scores attempts by their labels. attemptNumber converts the
// number of an answer to a text into the number of the attempt in its turn.
func newCritic(find finder, attemptNumber func(text string, nth int) int, noise float64,
	seeds seeds) *model.SimulatedCritic {
	return &model.SimulatedCritic{
		Threshold: passThreshold,
		Noise:     noise,
		Seed:      seeds.perEpoch,
		Quality: func(r model.Request, nth int) float64 {
			return quality(find, r, attemptNumber(r.Text, nth), seeds.perCase)
		},
	}
}

// passThreshold is the score above which a simulated critic passes.
const passThreshold = 0.7

// quality returns the label of the image in the request, the nth attempt. Without an image or
// label, all attempts of a turn have the same quality.
func quality(find finder, r model.Request, nth int, seed uint64) float64 {
	if r.Images > 0 {
		s, _ := find(r.Text)
		if images, err := s.ImageLabels(); err == nil && len(images) > 0 {
			return images[min(nth, len(images))-1].Quality
		}
	}
	return textQuality(r, seed)
}

// Distribution of the quality of images without labels.
const (
	meanQuality   = 0.75
	qualitySpread = 0.1
)

// textQuality returns a random quality for the turn's images. Outside a trial it depends on the
// texts of the request.
func textQuality(r model.Request, seed uint64) float64 {
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
	return min(max(meanQuality+qualitySpread*d.NormFloat64(), 0), 1)
}

package backend

import (
	"strings"

	"evalctl/mocks/model"
	"evalctl/mocks/random"
)

// newCritic returns a simulated critic that scores the attempts of a turn by their labels.
// attemptNumber converts the number of the critic's answer to a text into the number of the attempt
// within its turn.
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

// passThreshold is the score above which a simulated critic accepts an attempt.
const passThreshold = 0.7

// quality returns the labeled quality, 0..1, of the nth image of a turn. Without an image or a
// label, the quality is random, and the same for all attempts of a turn.
func quality(find finder, r model.Request, nth int, seed uint64) float64 {
	if r.ImageCount > 0 {
		s, _ := find(r.Text)
		if images, err := s.ImageLabels(); err == nil && len(images) > 0 {
			return images[min(nth, len(images))-1].Quality
		}
	}
	return textQuality(r, seed)
}

// meanQuality and qualitySpread (the standard deviation) are the normal distribution of the quality
// of images without labels.
const (
	meanQuality   = 0.75
	qualitySpread = 0.1
)

// textQuality returns a random quality, 0..1, for the attempts of a turn. Outside a trial it
// depends on the texts of the request.
func textQuality(r model.Request, seed uint64) float64 {
	if r.Position != (model.CallPosition{}) {
		seed = random.Hash(model.CallPosition{Turn: r.Position.Turn}.Seed(seed, r.ComponentName), "quality")
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

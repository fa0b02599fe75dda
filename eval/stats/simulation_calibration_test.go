package stats_test

import (
	"fmt"
	"math"
	"math/rand/v2"

	"evalctl/eval/stats"
)

// confidencePopulation simulates a model by a distribution of confidences and an accuracy for each
// confidence.
type confidencePopulation struct {
	name       string
	confidence func(u float64) float64 // confidence for a uniform u between 0 and 1
	right      func(confidence float64) float64
	clusters
}

// confidencePopulations returns models that are calibrated, models that are overconfident, and
// models whose confidence is very or hardly informative.
func confidencePopulations(shape clusters) []confidencePopulation {
	smooth := func(u float64) float64 { return 1 - 0.7*u*u }
	twentieths := func(u float64) float64 { return math.Round((1-0.5*u*u)*20) / 20 }
	honest := func(c float64) float64 { return c }
	over := func(c float64) float64 { return 0.5 + 0.5*(c-0.3)/0.7*0.8 }
	return []confidencePopulation{
		{name: "calibrated", confidence: smooth, right: honest, clusters: shape},
		{name: "over-confident", confidence: smooth, right: over, clusters: shape},
		{name: "calibrated, in twentieths", confidence: twentieths, right: honest, clusters: shape},
		{name: "over-confident, in twentieths", confidence: twentieths, right: over, clusters: shape},
		{name: "mostly right", confidence: smooth, right: func(c float64) float64 { return 0.63 + 0.3*c },
			clusters: shape},
		{name: "well separated", confidence: smooth,
			right: func(c float64) float64 { return 1 / (1 + math.Exp(-25*(c-0.7))) }, clusters: shape},
	}
}

// confidenceShapes returns the numbers of cases and epochs for which calibration is simulated.
func confidenceShapes() []clusters {
	return []clusters{{n: 100, epochs: 1}, {n: 466, epochs: 1}, {n: 100, epochs: 3, icc: 0.3},
		{n: 100, epochs: 5, icc: 0.7}, {n: 100, epochs: 5, icc: 1}}
}

// simulate draws the confidence and correctness of every answer. Epochs repeat the values of their
// case as often as the ICC requires.
func (w confidencePopulation) simulate(random *rand.Rand) *stats.Calibration {
	var c stats.Calibration
	answers := make([]stats.Answer, w.epochs)
	for range w.n {
		said, luck := random.Float64(), random.Float64()
		like := func(of float64) float64 {
			if own := random.Float64(); random.Float64() >= w.root() {
				return own
			}
			return of
		}
		for i := range answers {
			confidence := w.confidence(like(said))
			answers[i] = stats.Answer{Confidence: confidence, Correct: like(luck) < w.right(confidence)}
		}
		c.AddCase(answers...)
	}
	return &c
}

// truth returns the Brier score and AUROC of infinitely many answers, computed on a fine grid.
func (w confidencePopulation) truth() (brier, auroc float64) {
	const fine = 20_000
	var right, wrong, below float64
	for i := fine - 1; i >= 0; { // lowest confidence first
		confidence, ups, downs := w.confidence((float64(i)+0.5)/fine), 0.0, 0.0
		for ; i >= 0 && w.confidence((float64(i)+0.5)/fine) == confidence; i-- {
			p := w.right(confidence)
			ups, downs = ups+p, downs+1-p
		}
		brier += (ups*(1-confidence)*(1-confidence) + downs*confidence*confidence) / fine
		below += ups * (wrong + downs/2)
		right, wrong = right+ups, wrong+downs
	}
	return brier, below / right / wrong
}

// confidenceTable makes one claim for every simulated model and every number of cases and epochs.
func confidenceTable(name string, claim func(confidencePopulation) claim) table {
	t := table{name: name}
	for _, shape := range confidenceShapes() {
		for _, w := range confidencePopulations(shape) {
			quick := 0
			if shape.n == 100 && shape.icc != 0.3 && shape.icc != 1 {
				quick = 100
			}
			t.claims = append(t.claims, claim(w).repeated(2000, quick))
		}
	}
	return t
}

func (w confidencePopulation) String() string { return w.name + ", " + w.clusters.String() }

func brierTable() table {
	return confidenceTable("interval of the Brier score by case", func(w confidencePopulation) claim {
		brier, _ := w.truth()
		return interval("Brier, "+w.String(), func(random *rand.Rand) outcome {
			return covers(brier)(w.simulate(random).BrierInterval(0.95))
		})
	})
}

func aurocTable() table {
	return confidenceTable("interval of the AUROC by case", func(w confidencePopulation) claim {
		_, auroc := w.truth()
		c := interval("AUROC, "+w.String(), func(random *rand.Rand) outcome {
			return covers(auroc)(w.simulate(random).AUROCInterval(0.95))
		})
		if w.n == 100 {
			return c.withBand(0.93, 0.975,
				"20 to 30 wrong answers, fewer in as many cases: Student's t for these is wide, and their variance rough")
		}
		return c
	})
}

// rareErrorsTable simulates models whose few wrong answers are as confident as the right ones.
func rareErrorsTable() table {
	t := table{name: "interval of the Brier score if few answers are wrong"}
	for i, n := range []int{60, 150, 400} {
		least := []float64{0.87, 0.9, 0.93}[i]
		w := confidencePopulation{name: "97 % right", clusters: clusters{n: n, epochs: 1},
			confidence: func(u float64) float64 { return 1 - 0.6*u*u*u*u },
			right:      func(c float64) float64 { return 0.9 + 0.08*c }}
		brier, _ := w.truth()
		t.claims = append(t.claims, interval("Brier, "+w.String(), func(random *rand.Rand) outcome {
			return covers(brier)(w.simulate(random).BrierInterval(0.95))
		}).withBand(least, 0.975, "squares that are most of the score are seldom seen").repeated(2000, 200))
	}
	return t
}

// calibratedTable checks how often the interval of ECE excludes 0 for calibrated models.
func calibratedTable() table {
	t := table{name: "interval of the calibration error of calibrated models"}
	for _, from := range []float64{0.3, 0.4} {
		for _, n := range []int{100, 150, 400} {
			w := confidencePopulation{name: fmt.Sprintf("from %.1f up", from), clusters: clusters{n: n, epochs: 1},
				confidence: func(u float64) float64 { return from + (1-from)*u },
				right:      func(c float64) float64 { return c }}
			least, why := 0.975, "a lower bound"
			if from == 0.3 {
				w.name, w.confidence, least, why = "about a half", func(u float64) float64 { return 0.3 + 0.4*u },
					0.955, "a lower bound, of the most spread errors"
			}
			t.claims = append(t.claims, interval("ECE of none, "+w.String(), func(random *rand.Rand) outcome {
				return covers(0)(w.simulate(random).ECEInterval(10, 0.95))
			}).withBand(least, 1, why).repeated(2000, 400))
		}
	}
	return t
}

// eceTable checks that the interval of ECE covers the true error of the drawn bins, given their
// confidences.
func eceTable() table {
	return confidenceTable("interval of the calibration error of bins", func(w confidencePopulation) claim {
		return interval("ECE, "+w.String(), func(random *rand.Rand) outcome {
			c := w.simulate(random)
			truth := 0.0
			for _, gap := range w.gaps(c) {
				truth += math.Abs(gap) / float64(c.N())
			}
			return covers(truth)(c.ECEInterval(10, 0.95))
		}).withBand(0.95, 1, "bounds that hold whatever the bins are off")
	})
}

// gaps returns the true calibration error (confidence less accuracy) of each bin.
func (w confidencePopulation) gaps(c *stats.Calibration) []float64 {
	bins := c.ReliabilityBins(10)
	gaps := make([]float64, len(bins))
	kept := int64(0)
	for _, p := range c.RiskCoverage() { // each confidence with its number of answers
		for i, b := range bins {
			if b.MinConfidence <= p.Confidence && p.Confidence <= b.MaxConfidence {
				gaps[i] += float64(p.Accepted-kept) * (p.Confidence - w.right(p.Confidence))
			}
		}
		kept = p.Accepted
	}
	return gaps
}

// binTable checks that the interval of the share of right answers in the middle bin covers the true
// share.
func binTable() table {
	return confidenceTable("interval of a bin's share of right answers by case", func(w confidencePopulation) claim {
		c := interval("bin, "+w.String(), func(random *rand.Rand) outcome {
			c := w.simulate(random)
			at := len(c.ReliabilityBins(10)) / 2
			b := c.ReliabilityBins(10)[at]
			truth := b.MeanConfidence - w.gaps(c)[at]/float64(b.N)
			return covers(truth)(c.SubsetInterval(b.Correct, b.N, 0.95))
		})
		return c.withBand(0.9, 1,
			"few answers in a bin, and those of a case in several bins count as if they were in one")
	})
}

package stats_test

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"

	"evalctl/eval/stats"
)

// ratersPopulation simulates two raters on cases of two to six items. The first rater accepts a
// share that differs by case. The second errs, more in some cases than in others.
type ratersPopulation struct {
	yes       float64 // share that the first rater accepts
	fewer     float64 // probability that the second rejects an accepted item
	more      float64 // probability that the second accepts a rejected item
	unevenly  float64 // variance of both probabilities between cases; 0: equal
	truth     float64 // true kappa
	certainty float64 // sum of both parameters of the beta distribution of the share by case
}

func (w ratersPopulation) draw(random *rand.Rand, cases int) *stats.Kappa {
	var k stats.Kappa
	for range cases {
		q := distuv.Beta{Alpha: w.yes * w.certainty, Beta: (1 - w.yes) * w.certainty, Src: random}.Rand()
		times := 1.0
		if w.unevenly > 0 {
			times = distuv.Gamma{Alpha: 1 / w.unevenly, Beta: 1 / w.unevenly, Src: random}.Rand()
		}
		var one stats.RatingCounts
		for range 2 + random.IntN(5) {
			first := random.Float64() < q
			errs := w.more
			if first {
				errs = w.fewer
			}
			one.Add(first, first != (random.Float64() < math.Min(errs*times, 0.95)))
		}
		k.AddCase(one)
	}
	return &k
}

// kappaTable checks the interval of κ. It is Cohen's, which is wide with few cases. The
// delete-one-case jackknife with Student's t covers 80 to 92 % here at 20 cases and 90 to 96 % at
// 60.
func kappaTable() table {
	t := table{name: "interval of kappa by case"}
	for _, cases := range []int{20, 60, 200} {
		for _, w := range []ratersPopulation{
			{yes: 0.7, fewer: 0.05, more: 0.05, certainty: 4, truth: 0.883},
			{yes: 0.7, fewer: 0.05, more: 0.05, unevenly: 1, certainty: 4, truth: 0.883},
			{yes: 0.7, fewer: 0.02, more: 0.02, unevenly: 0.5, certainty: 4, truth: 0.9525},
			{yes: 0.9, fewer: 0.05, more: 0.2, unevenly: 0.5, certainty: 2, truth: 0.675},
			{yes: 0.5, fewer: 0.1, more: 0.02, unevenly: 1, certainty: 2, truth: 0.880},
			{yes: 0.95, fewer: 0.03, more: 0.1, certainty: 4, truth: 0.712},
			{yes: 0.7, fewer: 0.25, more: 0.25, unevenly: 0.5, certainty: 4, truth: 0.457},
		} {
			setting := fmt.Sprintf("%d cases, kappa %.3g, yes %.3g, uneven %.3g", cases, w.truth, w.yes, w.unevenly)
			t.claims = append(t.claims, interval(setting, func(random *rand.Rand) outcome {
				return covers(w.truth)(w.draw(random, cases).Interval(0.95))
			}).repeated(2000, 100).withBand(leastCoverage, 0.995,
				"as with Cohen's own standard error, wide where most agree"))
		}
	}
	return t
}

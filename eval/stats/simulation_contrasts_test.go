package stats_test

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"

	"evalctl/eval/stats"
)

// amountsPopulation draws the amounts (a cost, a latency) of a case under A and B. Both are
// lognormal with the same shape, B's larger by a factor. Half of the logarithm's variance is
// between cases.
type amountsPopulation struct {
	n             int
	shape, factor float64
}

func (w amountsPopulation) pair(random *rand.Rand) (a, b float64) {
	shared := random.NormFloat64()
	of := func() float64 { return math.Exp(w.shape * math.Sqrt(0.5) * (shared + random.NormFloat64())) }
	return of(), w.factor * of()
}

func (w amountsPopulation) String() string {
	return fmt.Sprintf("n %d, lognormal σ %.3g, factor %.3g", w.n, w.shape, w.factor)
}

func ratioTable() table {
	t := table{name: "interval of a ratio of means"}
	for _, shape := range []float64{0.5, 1, 1.5} {
		for _, n := range []int{20, 100, 466, 2000} {
			w := amountsPopulation{n: n, shape: shape, factor: 1.3}
			c := interval(w.String(), func(random *rand.Rand) outcome {
				var r stats.MeanRatio
				for range w.n {
					r.Add(w.pair(random))
				}
				return covers(w.factor)(r.Interval(0.95))
			}).repeated(2000, 100)
			if n == 20 || n == 100 && shape > 0.5 {
				c = c.withBand(0.88, mostCoverage,
					"a few large amounts decide the means: heavy tails want some hundreds of cases")
			}
			t.claims = append(t.claims, c)
		}
	}
	return t
}

func quantileContrastTable() table {
	t := table{name: "interval of a difference and of a ratio of quantiles"}
	for _, q := range []float64{0.5, 0.9, 0.95, 0.99} {
		for _, n := range []int{30, 60, 100, 466} {
			w := amountsPopulation{n: n, shape: 1, factor: 1.3}
			if !w.answers(q) {
				continue
			}
			why := "percentiles of a bootstrap end at values that occurred, and are too wide with few beyond the quantile"
			t.claims = append(t.claims,
				interval(fmt.Sprintf("difference of p%.3g, %s", 100*q, w), w.difference(q)).withBand(0.93, 0.995, why).
					repeated(1000, quickContrast(n)),
				interval(fmt.Sprintf("ratio of p%.3g, %s", 100*q, w), w.ratio(q)).withBand(0.93, 0.995, why).
					repeated(1000, quickContrast(n)))
		}
	}
	return t
}

func (w amountsPopulation) contrast(random *rand.Rand) *stats.PairedQuantiles {
	var c stats.PairedQuantiles
	for range w.n {
		a, b := w.pair(random)
		c.Add(random.Uint64(), []int64{int64(1e6 * a)}, []int64{int64(1e6 * b)})
	}
	return &c
}

func (w amountsPopulation) answers(q float64) bool {
	_, ok := w.contrast(rand.New(rand.NewPCG(53, 1))).Difference(q, 0.95)
	return ok
}

func (w amountsPopulation) difference(q float64) draw {
	truth := 1e6 * (w.factor - 1) * math.Exp(w.shape*distuv.UnitNormal.Quantile(q))
	return func(random *rand.Rand) outcome {
		span, ok := w.contrast(random).Difference(q, 0.95)
		return covers(truth)(span.Lo, span.Hi, ok)
	}
}

func (w amountsPopulation) ratio(q float64) draw {
	return func(random *rand.Rand) outcome {
		span, ok := w.contrast(random).Ratio(q, 0.95)
		return covers(w.factor)(span.Lo, span.Hi, ok)
	}
}

func quickContrast(n int) int {
	if n > 60 {
		return 0
	}
	return 50
}

package stats_test

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"

	"evalctl/eval/stats"
)

// clusters is the shape of a simulated run: n cases, their epochs, and the correlation of two
// epochs of a case (intraclass correlation, ICC).
type clusters struct {
	n, epochs int
	icc       float64
}

func (c clusters) String() string {
	if c.epochs == 1 {
		return fmt.Sprintf("n %d", c.n)
	}
	return fmt.Sprintf("n %d, %d epochs, ICC %.3g", c.n, c.epochs, c.icc)
}

// root returns the probability that an epoch has the value of its case. Two epochs then correlate
// with the ICC, its square.
func (c clusters) root() float64 { return math.Sqrt(c.icc) }

// shapes returns the runs of these sizes to simulate. Large ones have only the most frequent
// numbers of epochs.
func shapes(sizes ...int) (list []clusters) {
	for _, n := range sizes {
		list = append(list, clusters{n: n, epochs: 1}, clusters{n: n, epochs: 5, icc: 0.7})
		if n < 1000 {
			list = append(list, clusters{n: n, epochs: 3, icc: 0.3}, clusters{n: n, epochs: 5},
				clusters{n: n, epochs: 5, icc: 1})
		}
	}
	return list
}

// quick returns the repetitions in the fast simulation: 100 for some shapes, 0 for all others.
func (c clusters) quick() int {
	if c.n > 100 || c.icc == 0.3 || c.icc == 1 {
		return 0
	}
	return 100
}

func shareTable() table {
	t := table{name: "interval of a proportion by case"}
	for _, shape := range shapes(20, 100, 466, 2000) {
		for _, p := range []float64{0.5, 0.8, 0.9, 0.95, 0.99, 1} {
			w := epochsPopulation{n: shape.n, epochs: shape.epochs, mean: p, icc: shape.icc}
			c := interval(fmt.Sprintf("p %.3g, %s", p, shape), func(random *rand.Rand) outcome {
				return covers(p)(w.share(random).Interval(0.95))
			}).repeated(2000, shape.quick())
			switch wrong := float64(shape.n) * (1 - p); {
			case p == 1:
				c = c.withBand(1, 1, "nothing fails, and the interval ends at 1")
			case wrong < 10:
				c = c.withBand(0.88, 1, "fewer than 10 cases are expected to fail: Wilson's coverage goes up and down with their whole number, by the level on average")
			case shape.epochs > 1 && wrong < 60:
				c = c.withBand(0.93, 0.985,
					"how much epochs agree is estimated from fewer than 60 cases that fail, and drawn to full agreement")
			}
			t.claims = append(t.claims, c)
		}
	}
	return t
}

// exactTable checks the Clopper-Pearson interval, whose coverage is never below its level.
func exactTable() table {
	t := table{name: "interval by Clopper and Pearson"}
	for _, n := range []int{20, 100, 466} {
		for _, p := range []float64{0.5, 0.9, 0.99} {
			w := epochsPopulation{n: n, epochs: 1, mean: p}
			t.claims = append(t.claims, interval(fmt.Sprintf("p %.3g, n %d", p, n), func(random *rand.Rand) outcome {
				lo, hi := stats.ClopperPearson(w.share(random).Successes(), int64(n), 0.95)
				return covers(p)(lo, hi, true)
			}).withBand(0.95, 1, "never less than the level, and so mostly more").repeated(2000, 200))
		}
	}
	return t
}

func (w epochsPopulation) share(random *rand.Rand) *stats.Proportion {
	var s stats.Proportion
	for range w.n {
		s.Add(w.right(random, w.chance(random)), int64(w.epochs))
	}
	return &s
}

// meanTable checks the interval of a mean with lognormal values, half as skewed as costs.
func meanTable() table {
	t := table{name: "interval of a mean by case"}
	for _, shape := range shapes(20, 100, 466) {
		for _, spread := range []float64{0.25, 1} {
			truth := math.Exp(spread * spread / 2)
			c := interval(fmt.Sprintf("lognormal σ %.3g, %s", spread, shape), func(random *rand.Rand) outcome {
				var m stats.Mean
				for range shape.n {
					m.Add(shape.lognormals(random, spread)...)
				}
				return covers(truth)(m.Interval(0.95))
			}).repeated(2000, shape.quick())
			if spread == 1 {
				c = c.withBand(0.83, mostCoverage,
					"the tail that makes the mean is seldom in the sample: Student's t wants some hundreds of cases")
			} else if shape.n == 20 {
				c = c.withBand(0.92, mostCoverage, "a little skewed, on 20 cases")
			}
			t.claims = append(t.claims, c)
		}
	}
	return t
}

func (c clusters) lognormals(random *rand.Rand, spread float64) []float64 {
	values, shared := make([]float64, c.epochs), random.NormFloat64()
	for i := range values {
		values[i] = math.Exp(spread * (math.Sqrt(c.icc)*shared + math.Sqrt(1-c.icc)*random.NormFloat64()))
	}
	return values
}

func quantileTable() table {
	t := table{name: "interval or one-sided bound of a quantile by case"}
	for _, shape := range shapes(20, 100, 466) {
		for _, q := range []float64{0.5, 0.95, 0.99} {
			truth := 1e6 * math.Exp(distuv.UnitNormal.Quantile(q))
			setting := fmt.Sprintf("p%.3g, %s", 100*q, shape)
			if sketch := shape.sketch(rand.New(rand.NewPCG(1, 1))); hasInterval(sketch, q) {
				t.claims = append(t.claims, interval(setting, func(random *rand.Rand) outcome {
					lo, hi, ok := shape.sketch(random).Interval(q, 0.95)
					return covers(truth)(float64(lo), float64(hi), ok)
				}).withBand(leastCoverage, 0.995,
					"ranks are whole: at least the level, and more with few values beyond the quantile").repeated(2000,
					shape.quick()))
			} else {
				t.claims = append(t.claims, interval("one-sided "+setting, func(random *rand.Rand) outcome {
					lo, ok := shape.sketch(random).LowerBound(q, 0.95)
					return covers(truth)(float64(lo), math.Inf(1), ok)
				}).withBand(leastCoverage, 1, "one-sided, by whole ranks").repeated(2000, shape.quick()))
			}
		}
	}
	return t
}

func hasInterval(s *stats.QuantileSketch, q float64) bool {
	_, _, ok := s.Interval(q, 0.95)
	return ok
}

func (c clusters) sketch(random *rand.Rand) *stats.QuantileSketch {
	var s stats.QuantileSketch
	for range c.n {
		durations := make([]int64, c.epochs)
		for i, v := range c.lognormals(random, 1) {
			durations[i] = int64(1e6 * v)
		}
		s.AddCase(durations...)
	}
	return &s
}

// criticTable checks [stats.RegressionToMean]. It judges quality with noise. An attempt below the
// cutoff is judged again, blind, and then improved.
func criticTable() table {
	const quality, spread, noise, cutoff, gain = 0.75, 0.15, 0.1, 0.7, 0.05
	t := table{name: "interval of the gain of a Critic loop, measured by a second judgment"}
	for _, n := range []int{60, 300, 1000} {
		c := interval(fmt.Sprintf("%d turns, a third of them continued", n), func(random *rand.Rand) outcome {
			var m stats.Mean
			for range n {
				of := quality + spread*random.NormFloat64()
				judge := func() float64 { return of + noise*random.NormFloat64() }
				if judge() < cutoff {
					again := judge()
					m.Add(judge() + gain - again)
				}
			}
			return covers(gain)(m.Interval(0.95))
		})
		t.claims = append(t.claims, c.repeated(2000, 100))
	}
	return t
}

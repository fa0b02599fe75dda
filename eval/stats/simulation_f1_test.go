package stats_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"evalctl/eval/stats"
)

// classPopulation simulates classification. An answer is right with the accuracy of its class.
// Otherwise it is one of the other classes or, with the share outside, a label that is no class.
type classPopulation struct {
	name    string
	shares  []float64 // shares of the classes
	right   []float64
	outside float64
}

func classWorlds() []classPopulation {
	return []classPopulation{
		{name: "4 classes 46/18/11/25 %", shares: []float64{.46, .18, .11, .25}, right: []float64{.95, .9, .85, .9},
			outside: .1},
		{name: "2 classes 97/3 %", shares: []float64{.97, .03}, right: []float64{.98, .7}, outside: 0},
		{name: "10 classes, 1 to 30 %", shares: []float64{.3, .2, .14, .1, .08, .06, .05, .04, .02, .01},
			right: []float64{.9, .9, .9, .9, .85, .85, .8, .8, .8, .7}, outside: .2},
	}
}

// of returns the population that n cases represent: the same classes with rounded shares and at
// least one case each.
func (w classPopulation) of(n int) classPopulation {
	shares, left := make([]float64, len(w.shares)), n
	for c := len(shares) - 1; c > 0; c-- {
		cases := max(int(math.Round(w.shares[c]*float64(n))), 1)
		shares[c] = float64(cases) / float64(n)
		left -= cases
	}
	shares[0] = float64(left) / float64(n)
	w.shares = shares
	return w
}

func (w classPopulation) golds(n int) (golds []int) {
	for c, share := range w.shares {
		for range int(math.Round(share * float64(n))) {
			golds = append(golds, c)
		}
	}
	return golds
}

func (w classPopulation) rarest(n int) int { return int(math.Round(slices.Min(w.shares) * float64(n))) }

// answer returns the number of the predicted class; a number beyond the classes for an invalid
// label.
func (w classPopulation) answer(random *rand.Rand, gold int) int {
	classes := len(w.shares)
	switch u := random.Float64(); {
	case u < w.right[gold]:
		return gold
	case u < w.right[gold]+(1-w.right[gold])*w.outside:
		return classes
	}
	return (gold + 1 + random.IntN(classes-1)) % classes
}

func (w classPopulation) truth() (sum float64) {
	for c := range w.shares {
		sum += w.classTruth(c) / float64(len(w.shares))
	}
	return sum
}

func (w classPopulation) classTruth(c int) float64 {
	return 2 * w.shares[c] * w.right[c] / (w.shares[c] + w.predicted(c))
}

// predicted returns the share of all answers that predict class c.
func (w classPopulation) predicted(c int) float64 {
	predicted := w.shares[c] * w.right[c]
	for other, share := range w.shares {
		if other != c {
			predicted += share * (1 - w.right[other]) * (1 - w.outside) / float64(len(w.shares)-1)
		}
	}
	return predicted
}

// rows returns the results of one case. An epoch has the answer of its case with the probability
// root of the ICC, so that two epochs share it with the ICC.
func (w classPopulation) rows(random *rand.Rand, gold int, shape clusters) []stats.ConfusionRow {
	own, rows := w.answer(random, gold), make([]stats.ConfusionRow, shape.epochs)
	for i := range rows {
		answer := own
		if random.Float64() >= shape.root() {
			answer = w.answer(random, gold)
		}
		rows[i] = stats.ConfusionRow{Gold: classNames[gold], Predicted: classNames[answer],
			Correct: gold == answer, Trials: 1}
	}
	return rows
}

var classNames = []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"}

func macroTable() table {
	t := table{name: "interval of macro-F1"}
	for _, w := range classWorlds() {
		for _, shape := range shapes(20, 100, 466, 2000) {
			w, truth := w.of(shape.n), w.of(shape.n).truth()
			c := interval(w.name+", "+shape.String(), func(random *rand.Rand) outcome {
				return covers(truth)(w.play(random, shape).MacroF1Interval(0.95))
			}).repeated(1000, shape.quick()/4)
			switch rarest := w.rarest(shape.n); {
			case rarest < 10:
				c = c.withBand(0.88, 1, "a class has fewer than 10 cases, and macro-F1 moves in steps with each of them")
			case rarest < 100:
				c = c.withBand(0.93, 0.995, "a class has fewer than 100 cases, and weighs as much as the others")
			}
			t.claims = append(t.claims, c)
		}
	}
	return t
}

func (w classPopulation) play(random *rand.Rand, shape clusters) *stats.F1 {
	var f stats.F1
	for _, gold := range w.golds(shape.n) {
		f.Add(w.rows(random, gold, shape)...)
	}
	return &f
}

func classTable() table {
	t := table{name: "interval of F1 of a class, from five cases of it on"}
	for _, w := range classWorlds() {
		for _, shape := range shapes(100, 466) {
			w := w.of(shape.n)
			for class, share := range w.shares {
				if cases := share * float64(shape.n); cases >= 4.5 && (class == 0 || class == len(w.shares)-1) {
					t.claims = append(t.claims, w.class(class, cases, shape))
				}
			}
		}
	}
	return t
}

func (w classPopulation) class(number int, cases float64, shape clusters) claim {
	truth := w.classTruth(number)
	c := interval(fmt.Sprintf("%s, class of %.0f cases, %s", w.name, cases, shape), func(random *rand.Rand) outcome {
		for _, c := range w.play(random, shape).Classes(0.95) {
			if c.Label == classNames[number] {
				return covers(truth)(c.F1Lo, c.F1Hi, true)
			}
		}
		return noAnswer
	}).repeated(1000, 0)
	if shape.n == 100 && number == 0 {
		c.quick = 50
	}
	apart := shape.epochs > 1 && shape.icc < 0.7
	switch {
	case cases < 20:
		return c.withBand(leastCoverage, 1,
			"fewer than 20 cases: Wilson's goes up and down with their whole number, at the design effect of all classes together")
	case cases < 100 || float64(shape.n)-cases < 20 && apart:
		return c.withBand(leastCoverage, upperBand(apart, 0.997, 0.985),
			"fewer than 100 cases, or errors of few others: rows that are not quite a sample")
	case apart:
		return c.withBand(leastCoverage, 0.985,
			"epochs of a case differ more than the design effect of all classes together says")
	}
	return c
}

// upperBand returns the highest acceptable coverage: wide if epochs agree little, otherwise narrow.
func upperBand(apart bool, wide, narrow float64) float64 {
	if apart {
		return wide
	}
	return narrow
}

// precisionTable checks the precision of the rarest class, to which cases of other classes
// contribute single trials.
func precisionTable() table {
	t := table{name: "interval of the precision of a class"}
	for _, w := range classWorlds() {
		for _, shape := range shapes(466) {
			w := w.of(shape.n)
			last := len(w.shares) - 1
			truth := w.shares[last] * w.right[last] / w.predicted(last)
			c := interval(fmt.Sprintf("%s, class of %d cases, %s", w.name, w.rarest(shape.n), shape),
				func(random *rand.Rand) outcome {
					for _, c := range w.play(random, shape).Classes(0.95) {
						if c.Label == classNames[last] {
							return covers(truth)(c.Precision.Interval(0.95))
						}
					}
					return noAnswer
				})
			c = c.repeated(1000, 20).withBand(leastCoverage, 1,
				"fewer than 20 cases: few rows are predictions of the class, and epochs are assumed to be more similar than they are")
			if w.rarest(shape.n) >= 20 {
				c = c.withBand(leastCoverage, 0.985,
					"fewer than 100 cases, and epochs are assumed to be more similar than they are")
			}
			t.claims = append(t.claims, c)
		}
	}
	return t
}

// pairedF1Table checks the difference in macro-F1. B repeats A with a share of its answers drawn
// again: the same distribution, so the true difference is 0.
func pairedF1Table() table {
	t := table{name: "interval of the difference of macro-F1"}
	for _, w := range classWorlds() {
		for _, shape := range shapes(20, 100, 466) {
			w := w.of(shape.n)
			for _, other := range []float64{0.1, 1} {
				c := interval(fmt.Sprintf("%s, %.3g anew, %s", w.name, other, shape), func(random *rand.Rand) outcome {
					var p stats.PairedF1
					for _, gold := range w.golds(shape.n) {
						a := w.rows(random, gold, shape)
						b := a
						if random.Float64() < other {
							b = w.rows(random, gold, shape)
						}
						p.Add(a, b)
					}
					return covers(0)(p.Interval(0.95))
				}).repeated(1000, shape.quick()/4)
				switch {
				case other*float64(shape.n) < 60:
					c = c.withBand(leastCoverage, 1, "few answers differ: the two added cases widen it")
				case w.rarest(shape.n) < 20:
					c = c.withBand(0.92, 1, "a class has fewer than 20 cases, few of which differ")
				}
				t.claims = append(t.claims, c)
			}
		}
	}
	return t
}

package stats_test

import (
	"fmt"
	"math"
	"math/rand/v2"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval/stats"
)

var _ = Describe("PairedF1", func() {
	It("reference M1: returns the reference difference and interval of four cases with changed answers", func() {
		a := referenceF1()
		b := append([]stats.ConfusionRow(nil), a...)
		for number, predicted := range map[int]string{26: "chat", 29: "chat", 41: "chat", 48: "search"} {
			b[number-1].Predicted = predicted
		}
		p := pairF1(a, b)
		value, ok := p.Value()
		Expect(ok).To(BeTrue())
		Expect(value).To(BeNumerically("~", -0.001522, sixDigits))
		expectInterval(-0.103295, 0.100252)(p.Interval(0.95))
	})

	It("reference M2: returns the reference interval if no answer differs", func() {
		p := pairF1(referenceF1(), referenceF1())
		value, ok := p.Value()
		Expect(ok).To(BeTrue())
		Expect(value).To(BeZero())
		expectInterval(-0.108692, 0.108692)(p.Interval(0.95))
	})

	It("agrees with the macro-F1 of both sides, and with an explicit jackknife", func() {
		random := rand.New(rand.NewPCG(61, 1))
		for range 20 {
			cases := randomPairs(random, 30)
			var p stats.PairedF1
			for _, c := range cases {
				p.Add(c[0], c[1])
			}
			got, ok := p.Value()
			Expect(ok).To(BeTrue())
			Expect(got).To(BeNumerically("~", macroDifference(cases), 1e-12))
			lo, hi, ok := p.Interval(0.95)
			Expect(ok).To(BeTrue())
			Expect((hi - lo) / 2 / 1.959963984540054).To(BeNumerically("~", slowError(cases), 1e-9))
		}
	})

	It("returns bit-identical results for any order of cases", func() {
		random := rand.New(rand.NewPCG(62, 1))
		cases := randomPairs(random, 120)
		figures := func() []float64 {
			var p stats.PairedF1
			for _, c := range cases {
				p.Add(c[0], c[1])
			}
			value, _ := p.Value()
			lo, hi, _ := p.Interval(0.95)
			return []float64{value, lo, hi}
		}
		want := figures()
		for range 5 {
			random.Shuffle(len(cases), func(i, j int) { cases[i], cases[j] = cases[j], cases[i] })
			Expect(figures()).To(Equal(want))
		}
	})

	It("counts an accepted alternative as a right answer of the gold label", func() {
		p := pairF1([]stats.ConfusionRow{{Gold: "a", Predicted: "b", Correct: true, Trials: 1},
			{Gold: "b", Predicted: "b", Correct: true, Trials: 1}},
			[]stats.ConfusionRow{{Gold: "a", Predicted: "a", Correct: true, Trials: 1},
				{Gold: "b", Predicted: "b", Correct: true, Trials: 1}})
		value, ok := p.Value()
		Expect(ok).To(BeTrue())
		Expect(value).To(BeZero())
	})

	It("ignores a case without an answer on one side, and has no interval of fewer than two cases", func() {
		var p stats.PairedF1
		_, ok := p.Value()
		Expect(ok).To(BeFalse())
		right := []stats.ConfusionRow{{Gold: "a", Predicted: "a", Correct: true, Trials: 1}}
		p.Add(right, nil)
		p.Add([]stats.ConfusionRow{{Gold: "a", Predicted: "a", Correct: true}}, right)
		Expect(p.N()).To(BeZero())
		p.Add(right, right)
		_, _, ok = p.Interval(0.95)
		Expect(ok).To(BeFalse())
		p.Add(right, right)
		_, _, ok = p.Interval(0.95)
		Expect(ok).To(BeTrue())
		_, _, ok = p.Interval(95)
		Expect(ok).To(BeFalse())
	})

	It("returns the difference but no interval if too many cases differ from each other", func() {
		var p stats.PairedF1
		for i := range 65_537 {
			label := fmt.Sprint(i % 300)
			p.Add([]stats.ConfusionRow{{Gold: label, Predicted: fmt.Sprint(i / 300), Trials: 1}},
				[]stats.ConfusionRow{{Gold: label, Predicted: label, Correct: true, Trials: 1}})
		}
		_, _, ok := p.Interval(0.95)
		Expect(ok).To(BeFalse())
		value, ok := p.Value()
		Expect(ok).To(BeTrue())
		Expect(value).To(BeNumerically(">", 0.9))
	})
})

// referenceF1 returns the cases of the reference value F1 in their original order.
func referenceF1() (rows []stats.ConfusionRow) {
	for _, r := range []stats.ConfusionRow{
		{Gold: "chat", Predicted: "chat", Trials: 24}, {Gold: "chat", Predicted: "search", Trials: 3},
		{Gold: "chat", Predicted: "none", Trials: 1},
		{Gold: "image", Predicted: "image", Trials: 10}, {Gold: "image", Predicted: "chat", Trials: 2},
		{Gold: "search", Predicted: "search", Trials: 7}, {Gold: "search", Predicted: "chat", Trials: 2},
		{Gold: "time", Predicted: "time", Trials: 1},
	} {
		for range r.Trials {
			rows = append(rows, stats.ConfusionRow{Gold: r.Gold, Predicted: r.Predicted, Trials: 1})
		}
	}
	return rows
}

func pairF1(a, b []stats.ConfusionRow) *stats.PairedF1 {
	var p stats.PairedF1
	for i := range a {
		p.Add(answerCounts(a[i]), answerCounts(b[i]))
	}
	return &p
}

func answerCounts(r stats.ConfusionRow) []stats.ConfusionRow {
	r.Correct = r.Correct || r.Predicted == r.Gold
	return []stats.ConfusionRow{r}
}

// randomPairs returns n cases with up to two different answers on each side.
func randomPairs(random *rand.Rand, n int) [][2][]stats.ConfusionRow {
	cases := make([][2][]stats.ConfusionRow, n)
	for i := range cases {
		gold := labelOf(random, "aaaaabbbc")
		for side := range 2 {
			for range 1 + random.IntN(2) {
				predicted := labelOf(random, "aaabbcx")
				cases[i][side] = append(cases[i][side],
					stats.ConfusionRow{Gold: gold, Predicted: predicted, Correct: predicted == gold,
						Trials: 1 + random.Int64N(3)})
			}
		}
	}
	return cases
}

func labelOf(random *rand.Rand, labels string) string {
	return string(labels[random.IntN(len(labels))])
}

func macroDifference(cases [][2][]stats.ConfusionRow) float64 {
	var sides [2]stats.F1
	for _, c := range cases {
		for side := range 2 {
			sides[side].Add(c[side]...)
		}
	}
	a, _ := sides[0].MacroF1()
	b, _ := sides[1].MacroF1()
	return b - a
}

// slowError computes the standard error by its definition: it leaves out each case in turn.
func slowError(cases [][2][]stats.ConfusionRow) float64 {
	n, without, mean := float64(len(cases)), make([]float64, len(cases)), 0.0
	for i := range cases {
		rest := append(append([][2][]stats.ConfusionRow(nil), cases[:i]...), cases[i+1:]...)
		without[i] = macroDifference(rest)
		mean += without[i] / n
	}
	ofClass, variance, typical, differing := map[string]float64{}, 0.0, 0.0, 0.0
	for i, c := range cases {
		ofClass[c[0][0].Gold]++
		square := (without[i] - mean) * (without[i] - mean)
		variance += (n - 1) / n * square
		if !sameShares(c[0], c[1]) {
			typical += square
			differing++
		}
	}
	for _, count := range ofClass {
		typical += 1 / count / n / float64(len(ofClass)*len(ofClass))
	}
	return math.Sqrt(variance + 2*typical/(differing+1))
}

func sameShares(a, b []stats.ConfusionRow) bool {
	shares := map[string]float64{}
	for side, rows := range [][]stats.ConfusionRow{a, b} {
		total := 0.0
		for _, r := range rows {
			total += float64(r.Trials)
		}
		for _, r := range rows {
			shares[r.Predicted] += float64(1-2*side) * float64(r.Trials) / total
		}
	}
	for _, share := range shares {
		if math.Abs(share) > 1e-9 {
			return false
		}
	}
	return true
}

package stats_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval/stats"
)

// epochs returns the results of a case from a text such as "gold:first,second": the gold label and
// the prediction of each epoch.
func epochs(text string) []stats.ConfusionRow {
	gold, answers, _ := strings.Cut(text, ":")
	var rows []stats.ConfusionRow
	for _, a := range strings.Split(answers, ",") {
		rows = append(rows, stats.ConfusionRow{Gold: gold, Predicted: a, Correct: a == gold, Trials: 1})
	}
	return rows
}

func f1Of(cases ...string) *stats.F1 {
	var f stats.F1
	for _, c := range cases {
		f.Add(epochs(c)...)
	}
	return &f
}

// cases repeats each text as often as the number before it.
func cases(list ...any) (all []string) {
	for i := 0; i < len(list); i += 2 {
		for range list[i].(int) {
			all = append(all, list[i+1].(string))
		}
	}
	return all
}

var _ = Describe("macro-F1 by case", func() {
	DescribeTable("has the reference value and interval",
		func(f *stats.F1, m, lo, hi float64) {
			got, ok := f.MacroF1()
			Expect(ok).To(BeTrue())
			gotLo, gotHi, ok := f.MacroF1Interval(0.95)
			Expect(ok).To(BeTrue())
			Expect(got).To(BeNumerically("~", m, sixDigits))
			Expect(gotLo).To(BeNumerically("~", lo, sixDigits))
			Expect(gotHi).To(BeNumerically("~", hi, sixDigits))
		},
		Entry("reference F1: four classes, one of a single case, and a label that no case expects",
			f1Of(cases(24, "chat:chat", 3, "chat:search", 1, "chat:none",
				10, "image:image", 2, "image:chat", 7, "search:search", 2, "search:chat", 1, "time:time")...), 0.875769,
			0.707985, 0.957131),
		Entry("reference F2: cases of two epochs",
			f1Of("a:a,a", "a:a,b", "a:a,a", "b:b,b", "b:x,b", "c:c,c", "c:a,a", "b:b,b", "a:a,a", "c:c,b"), 0.753142,
			0.410624, 0.956082),
		Entry("reference F3: four classes, all right", f1Of(cases(213, "a:a", 86, "b:b", 53, "c:c", 114, "d:d")...),
			1.0, 0.988668, 1.0),
	)

	DescribeTable("has the reference interval of the F1 of one class",
		func(f *stats.F1, want, lo, hi float64) {
			c := f.Classes(0.95)[0]
			Expect(c.Label).To(Equal("a"))
			Expect(c.F1).To(BeNumerically("~", want, sixDigits))
			Expect(c.F1Lo).To(BeNumerically("~", lo, sixDigits))
			Expect(c.F1Hi).To(BeNumerically("~", hi, sixDigits))
		},
		Entry("reference F4: 2 right of 3 gold and 3 predicted", f1Of("a:a", "a:a", "a:b", "b:a"), 0.666667,
			0.260929, 0.918896),
		Entry("reference F5: a single case, right", f1Of("a:a"), 1.0, 0.342380, 1.0),
		Entry("reference F6: 24 right of 28 gold and 28 predicted", f1Of(cases(24, "a:a", 4, "a:b", 4, "b:a")...),
			0.857143, 0.733323, 0.929036),
	)

	It("has a class for each gold label only: an invalid label is a miss, not a class with F1 of 0", func() {
		f := f1Of(cases(90, "chat:chat", 10, "chat:invalid", 40, "image:image")...)
		m, _ := f.MacroF1()
		Expect(m).To(BeNumerically("~", (180.0/190+1)/2, 1e-15))
		Expect(f.Classes(0.95)).To(HaveLen(2))
		Expect(f.PredictedLabels()).To(Equal([]string{"chat", "image", "invalid"}))
		Expect(f.ConfusionCount("chat", "invalid")).To(Equal(int64(10)))
		Expect(f.ConfusionCount("chat", "unheard")).To(BeZero())
	})

	It("counts an accepted alternative as a right answer of the gold label", func() {
		var f stats.F1
		f.Add(stats.ConfusionRow{Gold: "chat", Predicted: "search", Correct: true, Trials: 2},
			stats.ConfusionRow{Gold: "chat", Predicted: "chat", Correct: true, Trials: 1})
		f.Add(epochs("search:search")...)
		for _, c := range f.Classes(0.95) {
			Expect(c.F1).To(Equal(1.0), c.Label)
		}
		Expect(f.ConfusionCount("chat", "chat")).To(Equal(int64(3)))
		Expect(f.ConfusionCount("chat", "search")).To(BeZero())
	})

	It("ranks two rules like accuracy if the errors of one have labels that no case expects, and those of the other do not", func() {
		invented := f1Of(cases(290, "a:a", 1, "a:x", 100, "b:b", 1, "b:y")...)
		confused := f1Of(cases(281, "a:a", 10, "a:b", 91, "b:b", 10, "b:a")...)
		better, _ := invented.MacroF1()
		worse, _ := confused.MacroF1()
		Expect(better).To(BeNumerically(">", worse))
	})

	It("has no value without trials, and no interval of one case or at an invalid level", func() {
		var f stats.F1
		f.Add()
		f.Add(stats.ConfusionRow{Gold: "a", Predicted: "a", Correct: true})
		_, ok := f.MacroF1()
		Expect(ok).To(BeFalse())
		_, _, ok = f.MacroF1Interval(0.95)
		Expect(ok).To(BeFalse())
		f.Add(epochs("a:a,b,a,a")...)
		_, _, ok = f.MacroF1Interval(0.95)
		Expect(ok).To(BeFalse())
		f.Add(epochs("b:b")...)
		_, _, ok = f.MacroF1Interval(0.95)
		Expect(ok).To(BeTrue())
		for _, level := range []float64{0, 1, math.NaN()} {
			_, _, ok = f.MacroF1Interval(level)
			Expect(ok).To(BeFalse())
		}
	})

	It("equals an explicit computation without a case when this case is left out, even if a class disappears with it",
		func() {
			random := rand.New(rand.NewPCG(3, 9))
			for round := range 40 {
				list := randomCases(random, 3+random.IntN(25), 1+round%4, 2+round%5)
				f := f1OfRows(list)
				if m, _ := f.MacroF1(); m == 0 || m == 1 {
					continue
				}
				lo, hi, ok := f.MacroF1Interval(0.95)
				wantLo, wantHi := deletedInterval(list)
				// no case makes a difference: expect the combination of the classes' intervals
				if wantHi-wantLo < 1e-9 {
					continue
				}
				Expect(ok).To(BeTrue())
				Expect(lo).To(BeNumerically("~", wantLo, 1e-9), "round %d: %v", round, list)
				Expect(hi).To(BeNumerically("~", wantHi, 1e-9), "round %d: %v", round, list)
			}
		})

	It("treats the epochs of a case as equal if too many cases differ from each other", func() {
		random := rand.New(rand.NewPCG(12, 9))
		for _, agree := range []float64{0, 0.5, 1} {
			list := randomCases(random, 2000, 5, 4)
			for _, rows := range list {
				for i := range rows[1:] {
					if random.Float64() < agree {
						rows[i+1] = rows[0]
					}
				}
			}
			all, few := f1OfRows(list), stats.NewF1(5)
			for _, rows := range list {
				few.Add(rows...)
			}
			m, _ := all.MacroF1()
			lo, hi, _ := all.MacroF1Interval(0.95)
			got, _ := few.MacroF1()
			gotLo, gotHi, ok := few.MacroF1Interval(0.95)
			Expect(ok).To(BeTrue())
			Expect(got).To(Equal(m))
			Expect(plain(few.Classes(0.95))).To(Equal(plain(all.Classes(0.95))))
			if agree == 1 {
				Expect([]float64{gotLo, gotHi}).
					To(HaveExactElements(BeNumerically("~", lo, (hi-lo)/200), BeNumerically("~", hi, (hi-lo)/200)))
				continue
			}
			Expect(gotLo).To(BeNumerically("<", lo))
			Expect(gotHi).To(BeNumerically(">", hi))
			Expect(gotHi - gotLo).To(BeNumerically("<", 2.25*(hi-lo))) // at most √5
		}
	})

	It("has a value within its interval, between 0 and 1, for random results", func() {
		random := rand.New(rand.NewPCG(4, 9))
		for range 500 {
			f := f1OfRows(randomCases(random, 2+random.IntN(6), 1+random.IntN(3), 1+random.IntN(4)))
			m, _ := f.MacroF1()
			lo, hi, ok := f.MacroF1Interval(0.95)
			Expect(ok).To(BeTrue())
			Expect(slices.IsSorted([]float64{0, lo, m, hi, 1})).To(BeTrue(), "%v in %v … %v", m, lo, hi)
		}
	})

	It("returns bit-identical values for any order of cases and of their results", func() {
		random := rand.New(rand.NewPCG(5, 9))
		list := randomCases(random, 300, 5, 12)
		figures := func() []any {
			f := f1OfRows(list)
			m, _ := f.MacroF1()
			lo, hi, _ := f.MacroF1Interval(0.95)
			return []any{m, lo, hi, fmt.Sprintf("%+v", plain(f.Classes(0.95)))}
		}
		want := figures()
		for range 10 {
			random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
			for _, rows := range list {
				random.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
			}
			Expect(figures()).To(Equal(want))
		}
	})
})

func f1OfRows(list [][]stats.ConfusionRow) *stats.F1 {
	var f stats.F1
	for _, rows := range list {
		f.Add(rows...)
	}
	return &f
}

func plain(list []stats.ClassMetrics) (classes []stats.ClassMetrics) {
	for _, c := range list {
		c.Recall, c.Precision = nil, nil
		classes = append(classes, c)
	}
	return classes
}

// randomCases returns n cases over k gold labels that are right about 70 % of the time. Errors
// include one more label.
func randomCases(random *rand.Rand, n, epochs, k int) [][]stats.ConfusionRow {
	list := make([][]stats.ConfusionRow, n)
	for i := range list {
		gold := label(min(random.IntN(k), random.IntN(k)))
		for range epochs {
			predicted := gold
			if random.Float64() > 0.7 {
				predicted = label(random.IntN(k + 1))
			}
			list[i] = append(list[i],
				stats.ConfusionRow{Gold: gold, Predicted: predicted, Correct: predicted == gold, Trials: 1})
		}
	}
	return list
}

func label(i int) string { return fmt.Sprintf("label-%03d", i) }

// deletedMacro computes macro-F1 without one case from precision and recall, independently of the
// package. classes is the number of remaining classes.
func deletedMacro(list [][]stats.ConfusionRow, without int) (m float64, classes int) {
	golds := map[string]bool{}
	for i, rows := range list {
		for _, r := range rows {
			golds[r.Gold] = golds[r.Gold] || i != without
		}
	}
	for class, there := range golds {
		if !there {
			continue
		}
		var right, gold, predicted float64
		for i, rows := range list {
			for _, r := range rows {
				if i == without {
					continue
				}
				if r.Gold == class {
					gold++
				}
				if r.Predicted == class {
					predicted++
				}
				if r.Gold == class && r.Predicted == class {
					right++
				}
			}
		}
		if right > 0 {
			precision, recall := right/predicted, right/gold
			m += 2 * precision * recall / (precision + recall)
		}
		classes++
	}
	return m / float64(classes), classes
}

// deletedInterval computes the jackknife interval by deleting each case in turn.
func deletedInterval(list [][]stats.ConfusionRow) (lo, hi float64) {
	n := float64(len(list))
	m, all := deletedMacro(list, -1)
	var left []float64
	mean, bias := 0.0, 0.0
	for i := range list {
		j, classes := deletedMacro(list, i)
		left = append(left, j)
		mean += j / n
		if classes == all {
			bias += (n - 1) / n * (j - m)
		}
	}
	square := 0.0
	for _, j := range left {
		square += (j - mean) * (j - mean)
	}
	se := math.Sqrt((n - 1) / n * square)
	e := math.Min(math.Max(math.Max(m-bias, m-(1-m)/4), m/2), m+(1-m)/2)
	half := math.Sqrt2 * math.Erfinv(0.95) * se / (e * (1 - e))
	odds := func(x float64) float64 { return math.Exp(x) / (1 + math.Exp(x)) }
	centre := math.Log(e) - math.Log(1-e)
	return math.Min(odds(centre-half), m), math.Max(odds(centre+half), m)
}

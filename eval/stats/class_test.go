package stats_test

import (
	"math/rand/v2"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval/stats"
)

// rareClass returns cases of five epochs, 3 % of them of class b. An answer to b is right with
// probability 0.7, one to a is predicted as b with 0.025. An epoch repeats the first one's answer
// with probability agree.
func rareClass(random *rand.Rand, n int, agree float64) *stats.F1 {
	var f stats.F1
	for range n {
		gold, taken := "a", 0.025
		if random.Float64() < 0.03 {
			gold, taken = "b", 0.7
		}
		answer := func() string {
			if random.Float64() < taken {
				return "b"
			}
			return "a"
		}
		rows, first := make([]stats.ConfusionRow, 5), answer()
		for i := range rows {
			predicted := first
			if random.Float64() >= agree {
				predicted = answer()
			}
			rows[i] = stats.ConfusionRow{Gold: gold, Predicted: predicted, Correct: predicted == gold, Trials: 1}
		}
		f.Add(rows...)
	}
	return &f
}

var _ = Describe("the metrics of a class", func() {
	It("include counts, and recall and precision clustered by case", func() {
		f := f1Of("a:a,a,b", "a:a,a,a", "b:b,a,x", "c:x,x,x")
		classes := f.Classes(0.95)
		Expect(plain(classes)[0]).To(And(HaveField("Cases", int64(2)), HaveField("Gold", int64(6)),
			HaveField("Predicted", int64(6)), HaveField("Correct", int64(5)), HaveField("F1", 5.0/6)))
		Expect([]int64{classes[0].Recall.Successes(), classes[0].Recall.N(), classes[0].Recall.Cases()}).
			To(Equal([]int64{5, 6, 2}))
		Expect([]int64{classes[0].Precision.Successes(), classes[0].Precision.N(), classes[0].Precision.Cases()}).
			To(Equal([]int64{5, 6, 3}))
		_, ok := classes[2].Precision.Value()
		Expect(ok).To(BeFalse(), "c was never predicted")
		_, _, ok = classes[2].Precision.Interval(0.95)
		Expect(ok).To(BeFalse())
		Expect(classes[2].F1).To(BeZero())
		Expect(classes[2].F1Lo).To(BeZero())
		Expect(classes[2].F1Hi).To(And(BeNumerically(">", 0), BeNumerically("<", 1)))
	})

	It("are those of one epoch if all epochs of each case are equal", func() {
		once := f1Of(cases(24, "a:a", 4, "a:b", 4, "b:a", 9, "b:b")...).Classes(0.95)
		thrice := f1Of(cases(24, "a:a,a,a", 4, "a:b,b,b", 4, "b:a,a,a", 9, "b:b,b,b")...).Classes(0.95)
		for i := range once {
			Expect(thrice[i].F1Lo).To(BeNumerically("~", once[i].F1Lo, 1e-12))
			Expect(thrice[i].F1Hi).To(BeNumerically("~", once[i].F1Hi, 1e-12))
			lo, hi, _ := once[i].Precision.Interval(0.95)
			lo3, hi3, ok := thrice[i].Precision.Interval(0.95)
			Expect(ok).To(BeTrue())
			Expect([]float64{lo3, hi3}).
				To(HaveExactElements(BeNumerically("~", lo, 1e-12), BeNumerically("~", hi, 1e-12)))
		}
	})

	It("have at most the precision of independent trials", func() {
		random := rand.New(rand.NewPCG(14, 9))
		for range 300 {
			for _, c := range f1OfRows(randomCases(random, 2+random.IntN(8), 2+random.IntN(4), 3)).Classes(0.95) {
				Expect(c.Precision.EffectiveN()).To(BeNumerically("<=", c.Precision.N()))
			}
		}
	})

	// With the design effect of all answers instead of the class's own, the interval of F1 of the
	// rare class covered 0.88 with independent epochs; see also the simulations.
	DescribeTable("have intervals of a rare class with at least the nominal coverage, for",
		func(agree float64) {
			const replications, gold, right, taken = 1000, 0.03, 0.03 * 0.7, 0.97*0.025 + 0.03*0.7
			random := rand.New(rand.NewPCG(13, 9))
			var f1, precision, recall, n float64
			for range replications {
				classes := rareClass(random, 400, agree).Classes(0.95)
				if len(classes) < 2 {
					continue
				}
				b := classes[1]
				n++
				f1 += truth(b.F1Lo <= 2*right/(gold+taken) && 2*right/(gold+taken) <= b.F1Hi)
				lo, hi, _ := b.Precision.Interval(0.95)
				precision += truth(lo <= right/taken && right/taken <= hi)
				lo, hi, _ = b.Recall.Interval(0.95)
				recall += truth(lo <= 0.7 && 0.7 <= hi)
			}
			Expect([]float64{f1 / n, precision / n, recall / n}).
				To(HaveEach(And(BeNumerically(">=", 0.925), BeNumerically("<=", 0.997))))
		},
		Entry("independent epochs", 0.0), Entry("epochs that agree in half of the cases", 0.5),
		Entry("epochs that are always equal", 1.0),
	)
})

package tune_test

import (
	"fmt"
	"math/rand/v2"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/stats"
	"evalctl/eval/tune"
)

var _ = Describe("The held-out accuracy", func() {
	It("evaluates each case at a threshold that was selected on other cases only", func() {
		// Each of the two cases is a fold. Without case a, always and never accepting the model are
		// equally good, so the current threshold 0 stays. Without case b, all thresholds above 0.2
		// are best, and 0.6 is in the middle.
		cfg := at(0)
		cfg.Folds = 2
		got, err := tuned([]eval.Result{resultOf("a", 1, 0, decision("wrong", 0.2, "right")),
			resultOf("b", 1, 0, decision("right", 0.6, "wrong"))}, cfg)
		Expect(err).NotTo(HaveOccurred())
		Expect(got.Folds).To(ConsistOf(tune.Fold{Threshold: 0, Cases: 1, Trials: 1},
			tune.Fold{Threshold: 0.6, Cases: 1, Trials: 1, Correct: 1}))
		Expect(*got.TrainingAccuracy.Value).To(Equal(1.0))
		Expect(*got.HeldOutAccuracy.Value).To(Equal(0.5))
		// the result of case a at threshold 0 changes only the accuracy of a
		for own, want := range map[string]float64{"right": 1, "wrong": 0.5} {
			got, err = tuned([]eval.Result{resultOf("a", 1, 0, decision(own, 0.2, "wrong")),
				resultOf("b", 1, 0, decision("right", 0.6, "wrong"))}, cfg)
			Expect(err).NotTo(HaveOccurred())
			Expect(*got.HeldOutAccuracy.Value).To(Equal(want), own)
		}
	})

	It("uses folds with equally many cases of each label", func() {
		var labels []string
		for i := range 40 {
			labels = append(labels, string(rune('a'+i%10)))
		}
		for seed := range uint64(3) {
			in := map[string]int{}
			for i, fold := range tune.Folds(labels, 4, seed) {
				in[fmt.Sprint(labels[i], fold)]++
			}
			Expect(in).To(And(HaveLen(40), HaveEach(1)))
		}
	})

	It("has a wider confidence interval than an accuracy of independent cases", func() {
		for seed := range uint64(3) {
			got := tuningOf(0.3, worlds()[0].simulateRun(rand.New(rand.NewPCG(seed, 3)))...)
			right := int64(*got.HeldOutAccuracy.Value*466 + 0.5)
			lo, hi := stats.Wilson(right, int64(466), 0.95)
			Expect(*got.HeldOutAccuracy.Lo).To(BeNumerically("<", lo))
			Expect(*got.HeldOutAccuracy.Hi).To(BeNumerically(">", hi))
		}
	})

	// m cases are right only above 0.5. In a random sample, all of them have the same sign with
	// probability 0.5^m.
	DescribeTable("comes with the thresholds that are not significantly worse than the best one at 5 %",
		func(m int, kept bool) {
			rows := []eval.Result{resultOf("z", 1, 1, decision("right", 0.8, "right"))}
			for i := range m {
				rows = append(rows, resultOf(fmt.Sprint(i), 1, 1, decision("wrong", 0.5, "right")))
			}
			got := tuningOf(1, rows...)
			Expect(got.NotSignificantlyWorse).To(HaveLen(1))
			Expect(got.NotSignificantlyWorse[0].Lo == 0).To(Equal(kept), "%v", got.NotSignificantlyWorse)
			Expect(got.NotSignificantlyWorse[0].Hi).To(Equal(1.0))
		},
		Entry("4 cases decide against a threshold: p = 0.0625, not significantly worse", 4, true),
		Entry("5 cases decide against a threshold: p = 0.031, significantly worse", 5, false),
	)
})

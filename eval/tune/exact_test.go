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

var _ = Describe("What a choice is worth", func() {
	It("is told by the others alone: a case by itself decides nothing of its own", func() {
		// Each case is a fold. Without a, always and never are alike, and the present
		// threshold stays; without b, everything above 0.2 is best, its middle is 0.6.
		cfg := at(0)
		cfg.Folds = 2
		got, err := tuned([]eval.Result{row("a", 1, 0, said("wrong", 0.2, "right")), row("b", 1, 0, said("right", 0.6, "wrong"))}, cfg)
		Expect(err).NotTo(HaveOccurred())
		Expect(got.Folds).To(ConsistOf(tune.Fold{Threshold: 0, Cases: 1, Trials: 1}, tune.Fold{Threshold: 0.6, Cases: 1, Trials: 1, Correct: 1}))
		Expect(*got.TrainingAccuracy.Value).To(Equal(1.0))
		Expect(*got.HeldOutAccuracy.Value).To(Equal(0.5))
		for own, want := range map[string]float64{"right": 1, "wrong": 0.5} { // what a itself says at a threshold of 0 moves a alone
			got, err = tuned([]eval.Result{row("a", 1, 0, said(own, 0.2, "wrong")), row("b", 1, 0, said("right", 0.6, "wrong"))}, cfg)
			Expect(err).NotTo(HaveOccurred())
			Expect(*got.HeldOutAccuracy.Value).To(Equal(want), own)
		}
	})

	It("is told by folds that hold as many of each label", func() {
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

	It("is less certain than a share of cases that have nothing to do with each other", func() {
		for seed := range uint64(3) {
			got := of(0.3, worlds()[0].play(rand.New(rand.NewPCG(seed, 3)))...)
			right := int64(*got.HeldOutAccuracy.Value*466 + 0.5)
			lo, hi := stats.Wilson(right, int64(466), 0.95)
			Expect(*got.HeldOutAccuracy.Lo).To(BeNumerically("<", lo))
			Expect(*got.HeldOutAccuracy.Hi).To(BeNumerically(">", hi))
		}
	})

	// m cases are right above 0.5 alone, which all coins give that often: 0.5^m.
	DescribeTable("leaves a threshold that is not proven to be worse at 5 %", func(m int, kept bool) {
		rows := []eval.Result{row("z", 1, 1, said("right", 0.8, "right"))}
		for i := range m {
			rows = append(rows, row(fmt.Sprint(i), 1, 1, said("wrong", 0.5, "right")))
		}
		got := of(1, rows...)
		Expect(got.NotSignificantlyWorse).To(HaveLen(1))
		Expect(got.NotSignificantlyWorse[0].Lo == 0).To(Equal(kept), "%v", got.NotSignificantlyWorse)
		Expect(got.NotSignificantlyWorse[0].Hi).To(Equal(1.0))
	},
		Entry("by 4 cases: 0.0625", 4, true),
		Entry("by 5 cases: 0.031", 5, false),
	)
})

package stats_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval/stats"
)

// rated adds a case on whose items two raters decide: both yes, only the first, only the second,
// neither.
func rated(k *stats.Kappa, both, first, second, neither int) {
	var r stats.RatingCounts
	for i, n := range []int{both, first, second, neither} {
		for range n {
			r.Add(i < 2, i%2 == 0)
		}
	}
	k.AddCase(r)
}

var _ = Describe("Kappa", func() {
	It("is the agreement of two raters beyond chance: 20, 5, 10 and 15 of 50 give 0.4", Label("definition"), func() {
		var k stats.Kappa
		for i, n := range []int{20, 5, 10, 15} { // one item per case
			for range n {
				cell := [4]int{}
				cell[i] = 1
				rated(&k, cell[0], cell[1], cell[2], cell[3])
			}
		}
		v, ok := k.Value()
		Expect(ok).To(BeTrue())
		Expect(v).To(BeNumerically("~", 0.4, 1e-12)) // agreement 0.7 compared with 0.5 by chance
		lo, hi, ok := k.Interval(0.95)
		Expect(ok).To(BeTrue())
		Expect(lo).To(BeNumerically("~", (0.562496-0.5)/0.5, 1e-5), "Wilson's of 35 in 50, less chance")
		Expect(hi).To(BeNumerically("~", (0.808964-0.5)/0.5, 1e-5))
		Expect([]int64{k.N(), k.Cases()}).To(Equal([]int64{50, 50}))
	})

	It("treats the items of a case as one cluster", func() {
		var one, many stats.Kappa
		for i := range 40 {
			for range 5 {
				rated(&many, i%2, 0, 0, 1-i%2)
			}
			rated(&one, 5*(i%2), 0, 0, 5*(1-i%2))
		}
		narrow, _, _ := many.Interval(0.95)
		wide, hi, ok := one.Interval(0.95)
		Expect(ok).To(BeTrue())
		Expect(wide).To(BeNumerically("<", narrow))
		Expect(hi).To(Equal(1.0))
		Expect(one.Cases()).To(Equal(int64(40)))
	})

	It("is -1 if the raters always differ, and has no value without items or if both always give the same judgment",
		func() {
			var differ, same, none stats.Kappa
			rated(&differ, 0, 5, 5, 0)
			v, ok := differ.Value()
			Expect([]any{v, ok}).To(Equal([]any{-1.0, true}))
			lo, _, _ := differ.Interval(0.95)
			Expect(lo).To(Equal(-1.0))
			rated(&same, 10, 0, 0, 0)
			for _, k := range []*stats.Kappa{&same, &none} {
				_, ok = k.Value()
				Expect(ok).To(BeFalse())
				_, _, ok = k.Interval(0.95)
				Expect(ok).To(BeFalse())
			}
		})
})

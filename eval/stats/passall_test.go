package stats_test

import (
	"math/bits"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval/stats"
)

// choices enumerates which k of n trials are looked at, and tells the share in which
// none of the failures, which are the trials from c on, is.
func choices(c, n, k int) float64 {
	all, passed := 0.0, 0.0
	for chosen := range uint(1) << n {
		if bits.OnesCount(chosen) != k {
			continue
		}
		all++
		if chosen>>c == 0 {
			passed++
		}
	}
	return passed / all
}

var _ = Describe("pass^k", func() {
	It("is the share of choices of k trials that all succeed, over cases that have so many", func() {
		outcomes := [][2]int64{{5, 5}, {4, 5}, {2, 5}, {0, 5}, {3, 3}, {2, 4}, {6, 8}, {1, 1}, {1, 2}}
		var s stats.Share
		for _, o := range outcomes {
			s.Add(o[0], o[1])
		}
		for k := int64(1); k <= 8; k++ {
			want, cases := 0.0, int64(0)
			for _, o := range outcomes {
				if o[1] >= k {
					want += choices(int(o[0]), int(o[1]), int(k))
					cases++
				}
			}
			v, of, ok := s.PassAll(k)
			Expect(ok).To(BeTrue())
			Expect(of).To(Equal(cases))
			Expect(v).To(BeNumerically("~", want/float64(cases), 1e-14), "k = %d", k)
		}
	})

	It("is right on average, where the share of successes to the power of k is not", func() {
		const p, n, k = 0.7, 5, 3
		mean, power := 0.0, 0.0
		for trials := range 1 << n { // every outcome of the trials, with its chance
			c := bits.OnesCount(uint(trials))
			chance := 1.0
			for i := range n {
				if i < c {
					chance *= p
				} else {
					chance *= 1 - p
				}
			}
			var s stats.Share
			s.Add(int64(c), n)
			v, _, _ := s.PassAll(k)
			share, _ := s.Value()
			mean, power = mean+chance*v, power+chance*share*share*share
		}
		Expect(mean).To(BeNumerically("~", p*p*p, 1e-14))
		Expect(power).To(BeNumerically(">", p*p*p+0.03))
	})

	It("has Wilson's interval of the cases", func() {
		var s stats.Share
		times(&s, 80, 3, 3)
		times(&s, 20, 2, 3)
		lo, hi, ok := s.PassAllInterval(3, 0.95)
		wantLo, wantHi := stats.Wilson(80, 100, 0.95)
		Expect([]any{lo, hi, ok}).To(Equal([]any{wantLo, wantHi, true}))
	})

	It("does not tell without a case of k trials, or for no trial", func() {
		var s stats.Share
		s.Add(2, 2)
		for _, k := range []int64{-1, 0, 3} {
			_, _, ok := s.PassAll(k)
			Expect(ok).To(BeFalse())
			_, _, ok = s.PassAllInterval(k, 0.95)
			Expect(ok).To(BeFalse())
		}
	})
})

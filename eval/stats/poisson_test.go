package stats_test

import (
	"math"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"gonum.org/v1/gonum/stat/distuv"

	"evalctl/eval/stats"
)

var _ = Describe("the bootstrap weights of a case", func() {
	It("depend only on seed and case, and a longer draw starts with a shorter one", func() {
		want := stats.Weights(7, 99, 401)
		Expect(stats.Weights(7, 99, 400)).To(Equal(want[:400]))
		Expect(stats.Weights(8, 99, 401)).NotTo(Equal(want))
		Expect(stats.Weights(7, 98, 401)).NotTo(Equal(want))
	})

	It("follow Poisson(1), independently between cases and resamples", func() {
		const cases, replicates = 600, 400
		const draws = cases * replicates
		var next, other [9][9]float64 // counts of a weight with that of the next replicate, and of the next case
		for key := range uint64(cases) {
			one, two := stats.Weights(99, 2*key, replicates+1), stats.Weights(99, 2*key+1, replicates)
			for i := range replicates {
				next[one[i]][one[i+1]]++
				other[one[i]][two[i]]++
			}
		}
		law := distuv.Poisson{Lambda: 1}
		for w := range 9 {
			for v := range 9 {
				p := law.Prob(float64(w)) * law.Prob(float64(v))
				within := BeNumerically("~", p, 4*math.Sqrt(p*(1-p)/draws)+1e-3)
				Expect(next[w][v]/draws).To(within, "%d before %d", w, v)
				Expect(other[w][v]/draws).To(within, "%d beside %d", w, v)
			}
		}
	})
})

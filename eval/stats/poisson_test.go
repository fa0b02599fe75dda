package stats_test

import (
	"math"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"gonum.org/v1/gonum/stat/distuv"

	"evalctl/eval/stats"
)

// The weights show from outside: a right answer of case i, alone under its label, is
// present in exactly the replicates that give the case a weight above 0.
var _ = Describe("The Poisson weights", func() {
	It("leave a case out of a resample with probability 1/e", func() {
		const cases, replicates = 300, 400
		kept := 0
		for key := range uint64(cases) {
			b := stats.NewBootstrap(replicates, 7)
			b.Add(key, "a", "a")
			kept += len(b.Replicates())
		}
		left := 1 - float64(kept)/(cases*replicates)
		Expect(left).To(BeNumerically("~", 1/math.E, 4*math.Sqrt(0.2325/(cases*replicates))))
	})

	It("follow Poisson(1), independently from case to case and replicate to replicate", func() {
		// Under one label with w right and under another with v wrong rows the value of
		// a replicate identifies w:v; comparing with the exact law tests the joint one.
		const cases = 600
		want := map[float64]float64{}
		for w := range 9 {
			for v := range 9 {
				if w+v > 0 {
					p := distuv.Poisson{Lambda: 1}.Prob(float64(w)) * distuv.Poisson{Lambda: 1}.Prob(float64(v))
					want[ratioOf(w, v)] += p
				}
			}
		}
		got, total := map[float64]float64{}, 0.0
		for key := range uint64(cases) {
			b := stats.NewBootstrap(0, 99)
			b.Add(2*key, "a", "a")
			b.Add(2*key+1, "a", "b")
			for _, f1 := range b.Replicates() {
				got[f1]++
			}
			total += 400
		}
		for value, p := range want {
			sigma := math.Sqrt(p * (1 - p) / total)
			Expect(got[value]/total).To(BeNumerically("~", p, 4*sigma+1e-3), "macro-F1 %v", value)
		}
	})
})

// ratioOf is macro-F1 with w hits of a and v times a taken for b, summed as the
// package sums so that equal values are equal bits.
func ratioOf(w, v int) float64 {
	if v == 0 {
		return 1
	}
	return (2 * float64(w) / (2*float64(w) + float64(v))) / 2
}

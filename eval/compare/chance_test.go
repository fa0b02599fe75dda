package compare_test

import (
	"fmt"
	"math/rand/v2"
	"os"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
)

// Range of the number of false alarms in 1,000 comparisons at a significance level of 5 %: 95 % of
// the binomial distribution.
const (
	comparisons = 1000
	fewAlarms   = 37
	manyAlarms  = 64
)

// equalVariants simulates cases of different difficulty for two variants, a and b. Both are equally
// good under every fault, and independent of each other.
func equalVariants(r *rand.Rand, cases int, faults []string) (list []eval.Result) {
	for i := range cases {
		wrong := 0.05
		if i%4 == 0 {
			wrong = 0.5
		}
		for _, f := range faults {
			for _, v := range []string{"a", "b"} {
				got := "yes"
				if r.Float64() < wrong {
					got = "no"
				}
				list = append(list, trial(v, f, fmt.Sprintf("c%03d", i), 1, got))
			}
		}
	}
	return list
}

// falseAlarms runs 1,000 comparisons of equal variants and returns how many have a significant
// difference.
func falseAlarms(cases int, faults ...string) (n int) {
	GinkgoHelper()
	var conditions [][2]string
	for _, f := range faults {
		conditions = append(conditions, [2]string{"a", f}, [2]string{"b", f})
	}
	for seed := range uint64(comparisons) {
		s := comparableCases(suiteOf(conditions...), equalVariants(rand.New(rand.NewPCG(seed, 9)), cases, faults), nil)
		Expect(s.Differences).To(HaveLen(len(faults)))
		for _, d := range s.Differences {
			if d.State == eval.Better || d.State == eval.Worse {
				n++
				break
			}
		}
	}
	return n
}

var _ = Describe("1,000 comparisons of equally good variants", Label("long"), func() {
	BeforeEach(func() {
		if os.Getenv("EVALCTL_LONG") == "" {
			Skip("make long runs it")
		}
	})

	It("report a significant difference of a pair in about 5 % of all comparisons", func() {
		Expect(falseAlarms(60, eval.NoFault)).To(And(BeNumerically(">=", fewAlarms), BeNumerically("<=", manyAlarms)))
	})

	It("report any significant difference among four pairs in at most 5 % of all comparisons", func() {
		Expect(falseAlarms(40, eval.NoFault, "f", "g", "h")).
			To(And(BeNumerically(">=", 10), BeNumerically("<=", manyAlarms)))
	})
})

package compare_test

import (
	"fmt"
	"math/rand/v2"
	"os"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
)

// How often chance alone may look like a difference in 1,000 comparisons at 5 %:
// 95 % of the binomial law.
const (
	comparisons = 1000
	fewAlarms   = 37
	manyAlarms  = 64
)

// equals plays cases of differing difficulty in variants a and b, which are as good
// as each other under every fault, each with luck of its own.
func equals(r *rand.Rand, cases int, faults []string) (list []eval.Result) {
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

// alarms counts the comparisons in which some difference passes for proven.
func alarms(cases int, faults ...string) (n int) {
	GinkgoHelper()
	var conditions [][2]string
	for _, f := range faults {
		conditions = append(conditions, [2]string{"a", f}, [2]string{"b", f})
	}
	for seed := range uint64(comparisons) {
		s := compared(suiteOf(conditions...), equals(rand.New(rand.NewPCG(seed, 9)), cases, faults), nil)
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

	It("find a difference of a pair in 5 of 100", func() {
		Expect(alarms(60, eval.NoFault)).To(And(BeNumerically(">=", fewAlarms), BeNumerically("<=", manyAlarms)))
	})

	It("find one in a family of four in no more", func() {
		Expect(alarms(40, eval.NoFault, "f", "g", "h")).To(And(BeNumerically(">=", 10), BeNumerically("<=", manyAlarms)))
	})
})

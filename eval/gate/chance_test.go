package gate_test

import (
	"fmt"
	"math/rand/v2"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
)

// maxFalseAlarms is the upper end of the 95 % interval for 5 % of 1,000 runs.
const maxFalseAlarms = 64

var _ = Describe("In 1,000 simulated runs", Label("long"), func() {
	// trial simulates a run and its baseline run with n cases in each variant. Each case becomes
	// wrong with the probability lost, and correct with the probability won.
	trial := func(random *rand.Rand, n int, lost, won float64, variants ...string) (r comparison) {
		for _, v := range variants {
			for i := range n {
				before, now := decision(fmt.Sprint(i), 1, true), decision(fmt.Sprint(i), 1, true)
				before.Variant, now.Variant = v, v
				switch x := random.Float64(); {
				case x < lost:
					now.Scores[0].Verdict = eval.Fail
				case x < lost+won:
					before.Scores[0].Verdict = eval.Fail
				}
				r.before, r.now = append(r.before, before), append(r.now, now)
			}
			if v != "v" {
				r.conditions = append(r.conditions, condition("s", v, "", 1))
			}
		}
		return r
	}
	count := func(decision eval.GateDecision, play func() []eval.GateVerdict) (n int) {
		for range 1000 {
			for _, v := range play() {
				if v.Verdict == decision {
					n++
					break
				}
			}
		}
		return n
	}

	It("without a change, at most 5 % fail a gate on the drop of accuracy", func() {
		random := rand.New(rand.NewPCG(9, 1))
		Expect(count(eval.GateFailed, func() []eval.GateVerdict {
			return trial(random, 100, 0.05, 0.05, "v").checkAll("drop(route.accuracy) <= 0pp")
		})).To(And(BeNumerically("<=", maxFalseAlarms), BeNumerically(">", 20)))
	})

	It("without a change, at most 5 % fail any of several gates in several conditions", func() {
		random := rand.New(rand.NewPCG(9, 2))
		Expect(count(eval.GateFailed, func() []eval.GateVerdict {
			return trial(random, 40, 0.08, 0.08, "v", "w", "x").checkAll("drop(route.accuracy) <= 0pp",
				"drop(route.accuracy{variant=v}) <= 0pp")
		})).To(BeNumerically("<=", maxFalseAlarms))
	})

	It("with a drop equal to the limit, at most 5 % pass the gate", func() {
		random := rand.New(rand.NewPCG(9, 3))
		Expect(count(eval.GatePassed, func() []eval.GateVerdict {
			return trial(random, 100, 0.075, 0.025, "v").checkAll("drop(route.accuracy) <= 5pp")
		})).To(BeNumerically("<=", maxFalseAlarms))
	})
})

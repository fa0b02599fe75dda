package tune_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/tune"
)

// rejections is a simulated agent that answers a at any confidence. Confidences are uniform, and
// oos is the share of out-of-scope cases at a confidence.
type rejections struct {
	name, objective string
	oos             func(c float64) float64
	best            []float64 // thresholds with the highest objective
	bad             float64   // threshold with a much lower objective; 0: none
}

// above returns the share of out-of-scope cases that is below up to a confidence, and over above it.
func above(limit, below, over float64) func(float64) float64 {
	return func(c float64) float64 {
		if c < limit {
			return below
		}
		return over
	}
}

func rejectionWorlds() []rejections {
	return []rejections{
		{name: "equally precise at all thresholds", objective: "oos.precision", oos: above(0, 0, 0.6),
			best: []float64{0.05, 0.3, 0.99}},
		{name: "nearly always right at all thresholds", objective: "oos.precision", oos: above(0, 0, 0.98),
			best: []float64{0.05, 0.3, 0.99}},
		{name: "best in the middle", objective: "oos.precision", oos: func(c float64) float64 {
			switch {
			case c < 0.1:
				return 0.4
			case c < 0.5:
				return 0.9
			}
			return 0.1
		}, best: []float64{0.5}, bad: 0.99},
		{name: "best at low thresholds", objective: "oos.precision", oos: above(0.2, 0.95, 0.05),
			best: []float64{0.05, 0.19}, bad: 0.6},
		// F1 is 2/3 from 0.25 on: one of three further rejections is right.
		{name: "F1 is equal from 0.25 on", objective: "oos.f1", oos: above(0.25, 1, 1./3),
			best: []float64{0.25, 0.6, 0.99}, bad: 0.05},
		{name: "F1 is best at 0.3", objective: "oos.f1", oos: above(0.3, 0.8, 0.1), best: []float64{0.3}, bad: 0.99},
	}
}

func (w rejections) simulateRun(n int, random *rand.Rand) (rows []eval.Result) {
	for i := range n {
		c, want := random.Float64(), "a"
		if random.Float64() < w.oos(c) {
			want = "oos"
		}
		rows = append(rows, answered(fmt.Sprintf("c%04d", i), want, "a", c))
	}
	return rows
}

// isKept reports whether a threshold is not significantly worse than the best one.
func isKept(got tune.Tuning, threshold float64) bool {
	for _, r := range got.NotSignificantlyWorse {
		if r.Lo <= threshold && threshold <= r.Hi {
			return true
		}
	}
	return false
}

// check counts in how many simulated runs the best thresholds are kept, and a bad one.
func (w rejections) check(runs, cases int) (best []int, bad int) {
	random := rand.New(rand.NewPCG(11, uint64(cases)))
	best = make([]int, len(w.best))
	for range runs {
		got, err := tuned(w.simulateRun(cases, random), goalOf(w.objective))
		Expect(err).NotTo(HaveOccurred())
		for i, b := range w.best {
			if isKept(got, b) {
				best[i]++
			}
		}
		if isKept(got, w.bad) {
			bad++
		}
	}
	return best, bad
}

var _ = Describe("The thresholds not significantly worse than the best", func() {
	DescribeTable("30.4: contain the best ones in 95 % of simulated runs, and not a much worse one",
		func(w rejections) {
			runs, cases := 6, 120
			if os.Getenv("EVALCTL_LONG") != "" {
				runs, cases = 200, 300 // 97 % or more in each of them
			}
			best, bad := w.check(runs, cases)
			GinkgoWriter.Println(w.name, best, bad)
			for i, n := range best {
				Expect(n).To(BeNumerically(">=", runs*92/100), "threshold %v", w.best[i])
			}
			if w.bad > 0 {
				Expect(bad).To(BeNumerically("<=", runs/20))
			}
		}, func() (entries []TableEntry) {
			for _, w := range rejectionWorlds() {
				entries = append(entries, Entry(w.name, w))
			}
			return entries
		}())

	It("30.4: contain no threshold without a precision, because no turn gets the out-of-scope label there", func() {
		rows := []eval.Result{answered("a", "a", "a", 0.2), answered("b", "b", "b", 0.9),
			answered("c", "oos", "a", 0.95)}
		got, err := tuned(rows, goalOf("oos.precision"))
		Expect(err).NotTo(HaveOccurred())
		Expect(got.Points[0].ObjectiveValue).To(BeNil(), "no turn is rejected")
		Expect(*got.Points[1].ObjectiveValue).To(BeZero(), "one turn is rejected, wrongly")
		Expect(got.Best.Threshold).To(Equal(1.0))
		Expect(isKept(got, 0)).To(BeFalse())
		Expect(got.HeldOutGain.Value).To(BeNil(), "the current threshold 0 has no precision")
		Expect(got.GainState).To(Equal(eval.InsufficientData))
		_, err = json.Marshal(got)
		Expect(err).NotTo(HaveOccurred())

		_, err = tuned(rows, goalOf("oos.precision at in_scope_accuracy >= 90%"))
		Expect(err).To(MatchError("oos.precision is undefined: " +
			"no turn gets the out-of-scope label at a threshold with oos.in_scope_accuracy >= 90%"))
		_, err = tuned(rows, goalOf("oos.recall at precision >= 90%"))
		Expect(err).To(MatchError(ContainSubstring("no threshold has oos.precision >= 90%: the highest is ")))
	})
})

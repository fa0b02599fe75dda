package tune_test

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"gonum.org/v1/gonum/stat/distuv"

	"evalctl/eval"
	"evalctl/eval/stats"
	"evalctl/eval/tune"
)

var coverage = flag.Int("coverage", 0,
	"simulate tuning with so many percent of the repetitions, and print the table (100: minutes)")

// world is a simulated model with a fallback, for which the best threshold is known.
type world struct {
	name        string
	cases       int
	epochs      int
	correlation float64                 // correlation between the epochs of a case
	states      func(u float64) float64 // confidence of the model as a function of a uniform random number
	right       func(c float64) float64 // accuracy of the model at a confidence
	fallback    float64                 // accuracy of the fallback
	best        float64                 // threshold with the highest accuracy; one of them if several are equal
	present     float64
	full, quick int
}

func calibrated(c float64) float64 { return c }

// from returns a distribution of confidences that is uniform between least and 1.
func from(least float64) func(float64) float64 {
	return func(u float64) float64 { return least + (1-least)*u }
}

// tenths is a distribution of confidences with only six different values.
func tenths(u float64) float64 { return 0.4 + 0.1*math.Floor(6*u) + 0.05 }

func worlds() []world {
	overconfident := func(c float64) float64 { return c * c }
	flat := func(c float64) float64 {
		switch {
		case c < 0.4:
			return 0.4
		case c < 0.8:
			return 0.7
		}
		return 0.95
	}
	return []world{
		{name: "calibrated, 466 cases", cases: 466, epochs: 1, states: from(0.2), right: calibrated, fallback: 0.6,
			best: 0.6, present: 0.3, full: 2000, quick: 100},
		{name: "calibrated, the current threshold is best, 466 cases", cases: 466, epochs: 1, states: from(0.2),
			right:    calibrated,
			fallback: 0.6, best: 0.6, present: 0.6, full: 2000, quick: 25},
		{name: "calibrated, the fallback is rarely right, 466 cases", cases: 466, epochs: 1, states: from(0),
			right: calibrated, fallback: 0.2, best: 0.2, present: 0.6, full: 2000},
		{name: "calibrated, 2,000 cases", cases: 2000, epochs: 1, states: from(0.2), right: calibrated, fallback: 0.6,
			best: 0.6, present: 0.5, full: 500},
		{name: "calibrated, 40 cases", cases: 40, epochs: 1, states: from(0.2), right: calibrated, fallback: 0.6,
			best: 0.6, present: 0.5, full: 2000, quick: 100},
		{name: "overconfident, 466 cases", cases: 466, epochs: 1, states: from(0.3), right: overconfident,
			fallback: 0.64, best: 0.8, present: 0.6, full: 2000, quick: 25},
		{name: "six confidences, 466 cases", cases: 466, epochs: 1, states: tenths, right: calibrated, fallback: 0.6,
			best: 0.6, present: 0.5, full: 2000, quick: 25},
		{name: "5 epochs with correlation 0.7, 200 cases", cases: 200, epochs: 5, correlation: 0.7, states: from(0.2),
			right: calibrated, fallback: 0.6, best: 0.6, present: 0.4, full: 1000, quick: 25},
		{name: "5 identical epochs, 200 cases", cases: 200, epochs: 5, correlation: 1, states: from(0.2),
			right: calibrated, fallback: 0.6, best: 0.6, present: 0.4, full: 1000},
		{name: "flat from 0.4 to 0.8, 466 cases", cases: 466, epochs: 1, states: from(0.2), right: flat, fallback: 0.7,
			best: 0.6, present: 0.4, full: 2000, quick: 25},
		{name: "always accepting the model is best, 466 cases", cases: 466, epochs: 1, states: from(0.5),
			right: calibrated, fallback: 0.3,
			best: 0, present: 0.7, full: 2000},
	}
}

// simulateRun returns random results of a run with the world's current threshold.
func (w world) simulateRun(random *rand.Rand) (rows []eval.Result) {
	root, rest := math.Sqrt(w.correlation), math.Sqrt(1-w.correlation)
	uniform := func(shared float64) float64 {
		return distuv.UnitNormal.CDF(root*shared + rest*random.NormFloat64())
	}
	for i := range w.cases {
		stated, luck, fallback := random.NormFloat64(), random.NormFloat64(), "wrong"
		if random.Float64() < w.fallback {
			fallback = "right"
		}
		for epoch := range w.epochs {
			c, label := w.states(uniform(stated)), "wrong too"
			if uniform(luck) < w.right(c) {
				label = "right"
			}
			rows = append(rows, resultOf(fmt.Sprintf("c%04d", i), epoch+1, w.present, decision(label, c, fallback)))
		}
	}
	return rows
}

// truth returns the true accuracy at a threshold, by numerical integration over the confidences.
func (w world) truth(threshold float64) float64 {
	const parts = 2_000
	sum := 0.0
	for i := range parts {
		if c := w.states((float64(i) + 0.5) / parts); c >= threshold {
			sum += w.right(c)
		} else {
			sum += w.fallback
		}
	}
	return sum / parts
}

// tallies counts in how many simulated runs each claim of the package is true.
type tallies struct {
	n, interval, heldOut, gain, apparent, better, worse int64
	width, regret                                       float64
}

func (w world) simulate(repetitions int) (t tallies) {
	random := rand.New(rand.NewPCG(7, uint64(w.cases)+uint64(1000*w.best)+uint64(w.epochs)))
	now := w.truth(w.present)
	for i := range repetitions {
		got, err := tuned(w.simulateRun(random), tune.Config{CurrentThreshold: &w.present, Seed: uint64(i)})
		if err != nil {
			panic(err)
		}
		truth := w.truth(got.Best.Threshold)
		holds := func(of *int64, lo, hi *float64, truth float64) {
			if *lo <= truth && truth <= *hi {
				*of++
			}
		}
		t.n++
		for _, r := range got.NotSignificantlyWorse {
			above := got.Points[slices.IndexFunc(got.Points,
				func(p tune.Point) bool { return r.Lo <= p.RangeHi })].RangeLo
			holds(&t.interval, &above, &r.Hi, w.best)
			t.width += r.Hi - r.Lo
		}
		holds(&t.heldOut, got.HeldOutAccuracy.Lo, got.HeldOutAccuracy.Hi, truth)
		holds(&t.apparent, got.TrainingAccuracy.Lo, got.TrainingAccuracy.Hi, truth)
		holds(&t.gain, got.HeldOutGain.Lo, got.HeldOutGain.Hi, truth-now)
		if got.GainState == eval.Better {
			t.better++
		}
		if got.GainState == eval.Worse {
			t.worse++
		}
		t.regret += w.truth(w.best) - truth
	}
	return t
}

// promise is a claim about simulated runs: a share k of them that must be between least and most.
type promise struct {
	name        string
	k           int64
	least, most float64
}

// promises returns the claims for this world. The thresholds that are not significantly worse
// contain the best one more often than at the confidence level, because they are what no test
// rejects.
func (w world) promises(t tallies) []promise {
	list := []promise{
		{"best threshold in its interval", t.interval, 0.95, 1},
		{"held-out accuracy covers the truth", t.heldOut, 0.93, 0.975},
		{"held-out gain covers the truth", t.gain, 0.91, 0.985},
	}
	if w.present == w.best {
		list = append(list, promise{"reports that the best threshold can be improved", t.better, 0, 0.025},
			promise{"reports that the chosen threshold is worse", t.worse, 0, 0.035})
	}
	return list
}

// keeps reports whether the promise is kept, allowing for chance. The probability that one of all
// promises is wrongly rejected is at most 5 %.
func (p promise) keeps(n int64, promises int) bool {
	lo, hi := stats.Wilson(p.k, n, 1-0.05/float64(promises))
	return hi >= p.least && lo <= p.most
}

func (t tallies) String() string {
	share := func(k int64) float64 { return float64(k) / float64(t.n) }
	return fmt.Sprintf("%5d  best in interval %.3f (width %.2f)  held out %.3f  apparent %.3f  gain %.3f  better %.3f  worse %.3f  regret %.4f",
		t.n, share(t.interval), t.width/float64(t.n), share(t.heldOut), share(t.apparent), share(t.gain),
		share(t.better), share(t.worse), t.regret/float64(t.n))
}

// check simulates runs in this world and returns the promises that are not kept.
func (w world) check(repetitions int) (t tallies, broken []string) {
	t = w.simulate(repetitions)
	for _, p := range w.promises(t) {
		if !p.keeps(t.n, 4*len(worlds())) {
			broken = append(broken, fmt.Sprintf("%s: %s: %d of %d, not %v to %v", w.name, p.name, p.k,
				t.n, p.least, p.most))
		}
	}
	return t, broken
}

func TestCoverage(t *testing.T) {
	if *coverage == 0 {
		t.Skip("make coverage")
	}
	for _, w := range worlds() {
		found, broken := w.check(max(1, w.full**coverage/100))
		fmt.Printf("%-46s %s\n", w.name, found)
		for _, b := range broken {
			t.Error(b)
		}
	}
}

var _ = DescribeTable("in simulated runs, the reported intervals contain the true values as often as promised",
	Label("long"), func(w world) {
		if os.Getenv("EVALCTL_LONG") == "" {
			Skip("make long runs it")
		}
		_, broken := w.check(w.quick)
		Expect(broken).To(BeEmpty())
	}, func() (entries []TableEntry) {
		for _, w := range worlds() {
			if w.quick > 0 {
				entries = append(entries, Entry(w.name, w))
			}
		}
		return entries
	}())

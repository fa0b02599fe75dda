package stats_test

import (
	"cmp"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"evalctl/eval/stats"
)

var falsePasses = flag.Bool("false-pass", false, "compute how often a drop gate passes and fails wrongly (2 minutes)")

// maxErrorRate is the required limit: a gate errs in at most 5.5 % of runs if the true drop equals
// the margin.
const maxErrorRate = 0.055

var (
	gateCases   = []int{100, 231, 299, 383, 466, 827, 2000}
	gateMargins = []float64{0.01, 0.02, 0.05}
	gateExtras  = []float64{0, 0.02, 0.05, 0.1} // additional cases that differ, half of them lost
)

// dropSizes has the verdict of a gate for every possible result of n cases with one epoch.
type dropSizes struct {
	n      int
	margin float64
	pass   []int // by number of gains: the most losses with which the gate passes; -1: it never passes
	fail   []int // by number of gains: the fewest losses with which the gate fails; n+1: it never fails
}

// newDropSizes computes the limits of pass and fail for every number of gains that is likely to
// occur.
func newDropSizes(n int, margin float64) dropSizes {
	s := dropSizes{n: n, margin: margin}
	most := slices.Max(gateExtras) / 2 * float64(n)
	for gains := 0; gains <= min(n, int(most+8*(1+most/8))); gains++ {
		// The search uses the p-value, which is cheap; the bound is checked at the limit.
		losses := sort.Search(n-gains+1,
			func(b int) bool { return flips(b, gains, n).DropBelowPValue(margin) > 0.05 }) - 1
		for losses >= 0 && !passes(flips(losses, gains, n), margin) {
			losses--
		}
		s.pass = append(s.pass, losses)
		losses = sort.Search(n-gains+1, func(b int) bool { return flips(b, gains, n).DropAbovePValue(margin) < 0.05 })
		for losses <= n-gains && !fails(flips(losses, gains, n), margin) {
			losses++
		}
		s.fail = append(s.fail, losses)
	}
	return s
}

func (s dropSizes) falsePass(extra float64) float64 { return s.chance(s.margin, extra, true) }
func (s dropSizes) falseFail(extra float64) float64 { return s.chance(s.margin, extra, false) }

// chance returns the probability that the gate passes (or fails) if the true drop is drop and extra
// is the share of additional cases that differ.
func (s dropSizes) chance(drop, extra float64, pass bool) (sum float64) {
	gain, loss := extra/2, extra/2+drop
	for gains := range s.pass {
		p := binomial(gains, s.n, gain, false)
		if p < 1e-14 {
			continue
		}
		if pass {
			sum += p * binomial(s.pass[gains], s.n-gains, loss/(1-gain), true)
		} else {
			sum += p * (1 - binomial(s.fail[gains]-1, s.n-gains, loss/(1-gain), true))
		}
	}
	return sum
}

// binomial returns the probability of exactly k successes in n trials, or of at most k if atMost is
// set.
func binomial(k, n int, chance float64, atMost bool) float64 {
	switch {
	case k < 0:
		return 0
	case atMost && k >= n:
		return 1
	case chance == 0 && (atMost || k == 0):
		return 1
	case chance == 0, chance == 1 && atMost, chance == 1 && k < n:
		return 0
	case chance == 1:
		return 1
	case atMost:
		return distuv.Binomial{N: float64(n), P: chance}.CDF(float64(k))
	}
	return distuv.Binomial{N: float64(n), P: chance}.Prob(float64(k))
}

func TestFalsePass(t *testing.T) {
	if !*falsePasses {
		t.Skip("run it with make false-pass")
	}
	fmt.Printf("One epoch, exact. False verdicts: the largest over margins of 1, 2 and 5 pp and 0, 2, 5, 10 %% of cases that differ besides.\n"+
		"Power: passes without a drop, for these four.\n%6s %13s %13s   %-21s %s\n", "n", "false pass %",
		"false fail %", "power at 1 pp, %", "power at 2 pp, %")
	for _, n := range gateCases {
		pass, fail, power := 0.0, 0.0, map[float64]string{}
		for _, margin := range gateMargins {
			s := newDropSizes(n, margin)
			for _, extra := range gateExtras {
				pass, fail = max(pass, s.falsePass(extra)), max(fail, s.falseFail(extra))
				power[margin] += fmt.Sprintf("%4.0f ", 100*s.chance(0, extra, true))
			}
		}
		fmt.Printf("%6d %13.1f %13.1f   %-21s %s\n", n, 100*pass, 100*fail, power[0.01], power[0.02])
		if pass > maxErrorRate || fail > maxErrorRate {
			t.Errorf("n %d: wrong in %.2f and %.2f %%", n, 100*pass, 100*fail)
		}
	}
	testEpochs(t)
}

// perCase is the number of epochs of a case in the simulation.
const perCase = 5

// fifthsLaw is the probability distribution of a case's loss, from −5 to 5 of its five epochs.
type fifthsLaw [2*perCase + 1]float64

// errorModel is a named distribution of the losses of cases whose mean is the margin, for which a
// gate must not pass.
type errorModel struct {
	name string
	of   func(margin float64) fifthsLaw
}

// addLosses moves a share of the cases to a loss of this many epochs; negative for gains.
func addLosses(p *fifthsLaw, share float64, lost int) {
	p[perCase+lost] += share
	p[perCase] -= share
}

// addNoise moves a share of the cases to a loss or gain of this many epochs, with equal
// probability.
func addNoise(p *fifthsLaw, share float64, by int) {
	addLosses(p, share/2, by)
	addLosses(p, share/2, -by)
}

func model(name string, fill func(p *fifthsLaw, margin float64)) errorModel {
	return errorModel{name: name, of: func(margin float64) (p fifthsLaw) {
		p[perCase] = 1
		fill(&p, margin)
		return p
	}}
}

// errorModels returns the distributions to test. In some, cases lose some or all epochs, alone,
// with noise, or against many small gains, and vice versa. In others the cases have different
// accuracies.
func errorModels() []errorModel {
	return []errorModel{
		model("all epochs lost", func(p *fifthsLaw, m float64) { addLosses(p, m, 5) }),
		model("one epoch lost", func(p *fifthsLaw, m float64) { addLosses(p, 5*m, 1) }),
		model("two epochs lost", func(p *fifthsLaw, m float64) { addLosses(p, 2.5*m, 2) }),
		model("all lost, one lost", func(p *fifthsLaw, m float64) { addLosses(p, m/2, 5); addLosses(p, 2.5*m, 1) }),
		model("all lost, 5 % differ by one",
			func(p *fifthsLaw, m float64) { addLosses(p, m, 5); addNoise(p, 0.05, 1) }),
		model("all lost, 20 % differ by one",
			func(p *fifthsLaw, m float64) { addLosses(p, m, 5); addNoise(p, 0.2, 1) }),
		model("one lost, 40 % differ by two",
			func(p *fifthsLaw, m float64) { addLosses(p, 5*m, 1); addNoise(p, 0.4, 2) }),
		model("all lost, 2 % differ by all",
			func(p *fifthsLaw, m float64) { addLosses(p, m, 5); addNoise(p, 0.02, 5) }),
		model("few lose all, many gain one",
			func(p *fifthsLaw, m float64) { addLosses(p, m+0.02, 5); addLosses(p, 0.1, -1) }),
		model("few gain all, many lose one",
			func(p *fifthsLaw, m float64) { addLosses(p, 5*m+0.1, 1); addLosses(p, 0.02, -5) }),
		{"every epoch right in 90 %", func(m float64) fifthsLaw { return differences([]float64{0.9}, m) }},
		{"cases right in 20 to 100 %",
			func(m float64) fifthsLaw { return differences([]float64{0.2, 0.5, 0.9, 0.98, 1, 1, 1, 1, 1, 1}, m) }},
	}
}

// differences returns the distribution of the loss between two independent runs. The second loses
// the margin, proportionally in every case.
func differences(chances []float64, margin float64) (p fifthsLaw) {
	mean := 0.0
	for _, c := range chances {
		mean += c / float64(len(chances))
	}
	for _, c := range chances {
		for a := range perCase + 1 {
			for b := range perCase + 1 {
				p[perCase+a-b] += binomial(a, perCase, c, false) * binomial(b, perCase, c*(1-margin/mean),
					false) / float64(len(chances))
			}
		}
	}
	return p
}

func (m errorModel) draw(n int, margin float64, random *rand.Rand) *stats.PairedAccuracy {
	p, rest := &stats.PairedAccuracy{}, 1.0
	for i, share := range m.of(margin) {
		count := n
		if i < 2*perCase {
			count = 0
			if chance := min(share/rest, 1); n > 0 && chance > 0 {
				count = int(distuv.Binomial{N: float64(n), P: chance, Src: random}.Rand())
			}
		}
		lost := int64(i - perCase)
		p.AddN(int64(count), max(lost, 0), perCase, max(-lost, 0), perCase)
		n, rest = n-count, max(rest-share, 1e-12)
	}
	return p
}

// epochSetting is one simulation of a gate with several epochs, and the error rates that it finds.
type epochSetting struct {
	model      errorModel
	n          int
	margin     float64
	pass, fail float64
}

func (s *epochSetting) simulate(repetitions int, seed uint64) {
	random := rand.New(rand.NewPCG(seed, uint64(s.n)))
	pass, fail := 0, 0
	for range repetitions {
		p := s.model.draw(s.n, s.margin, random)
		if p.DropBelowPValue(s.margin) <= 0.05 { // the bound is not checked: it can only prevent passes
			pass++
		}
		if p.DropAbovePValue(s.margin) < 0.05 {
			fail++
		}
	}
	s.pass, s.fail = float64(pass)/float64(repetitions), float64(fail)/float64(repetitions)
}

// testEpochs checks the error rates of all settings. It simulates the worst of each size again,
// because the maximum of many simulated shares is large by chance.
func testEpochs(t *testing.T) {
	const repetitions, again, worst = 2000, 20_000, 2
	lines := make([]string, len(gateCases))
	t.Run("epochs", func(t *testing.T) {
		for i, n := range gateCases {
			t.Run(fmt.Sprint(n), func(t *testing.T) {
				t.Parallel()
				var list []epochSetting
				for k, m := range errorModels() {
					for _, margin := range gateMargins {
						s := epochSetting{model: m, n: n, margin: margin}
						s.simulate(repetitions, uint64(k))
						list = append(list, s)
					}
				}
				line := fmt.Sprintf("%6d", n)
				for _, of := range []func(epochSetting) float64{
					func(s epochSetting) float64 { return s.pass }, func(s epochSetting) float64 { return s.fail },
				} {
					slices.SortStableFunc(list, func(a, b epochSetting) int { return cmp.Compare(of(b), of(a)) })
					most, at := 0.0, epochSetting{}
					for _, s := range slices.Clone(list[:worst]) {
						s.simulate(again, 1000)
						if v := of(s); v > most {
							most, at = v, s
						}
					}
					line += fmt.Sprintf("  %5.1f %% (%s, %g pp)", 100*most, at.model.name, 100*at.margin)
					if most > maxErrorRate {
						t.Errorf("n %d: wrong in %.2f %%: %s, %g pp", n, 100*most, at.model.name, 100*at.margin)
					}
				}
				lines[i] = line
			})
		}
	})
	fmt.Printf("\n%d epochs, simulated: the largest over margins of 1, 2 and 5 pp and %d error models, each %d times, the worst %d of them %d times more.\n"+
		"%6s  false pass, false fail\n", perCase, len(errorModels()), repetitions, worst, again, "n")
	for _, line := range lines {
		fmt.Println(line)
	}
}

package stats_test

import (
	"flag"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/types"

	"evalctl/eval/stats"
)

var coverage = flag.Int("coverage", 0,
	"simulate every interval and test with so many percent of the repetitions, and print the tables (100: minutes)")

// table is a named list of claims about one method, each simulated in its own setting.
type table struct {
	name   string
	claims []claim
}

// claim is a guarantee of a method in one setting: an outcome, such as "covered", has a share
// between least and most.
type claim struct {
	setting     string
	draw        func() draw
	full, quick int // repetitions of `make coverage` and of `make long`; 0 quick repetitions: only in full
	least, most float64
	reason      string // reason for limits other than the default
}

// draw simulates a setting once and returns its outcome.
type draw func(*rand.Rand) outcome

// outcome is the result of one repetition of a simulation.
type outcome int

const (
	miss outcome = iota
	hit
	noAnswer // the method returned no value
)

func hitIf(yes bool) outcome {
	if yes {
		return hit
	}
	return miss
}

// covers returns a function that checks whether an interval contains the truth.
func covers(truth float64) func(lo, hi float64, ok bool) outcome {
	return func(lo, hi float64, ok bool) outcome {
		if !ok {
			return noAnswer
		}
		return hitIf(lo <= truth && truth <= hi)
	}
}

// leastCoverage and mostCoverage limit the simulated coverage of an interval at level 95 %.
const leastCoverage, mostCoverage = 0.94, 0.965

// interval claims that the interval of the draw covers the truth in 94 to 96.5 % of repetitions.
func interval(setting string, d draw) claim {
	return claim{setting: setting, draw: at(d), full: 2000, least: leastCoverage, most: mostCoverage}
}

// at wraps a draw that needs no preparation.
func at(d draw) func() draw { return func() draw { return d } }

// sizeOf claims that a test at 5 % rejects a true null in at most 5 % of repetitions. A small
// allowance is for the mid-p, whose size is nominal on average and not in the worst case.
func sizeOf(setting string, d draw) claim {
	return claim{setting: setting, draw: at(d), full: 2000, most: 0.055, reason: "at most 5 %, and a mid-p's worst"}
}

// withBand returns the claim with other limits of the share, and the reason for them.
func (c claim) withBand(least, most float64, reason string) claim {
	c.least, c.most, c.reason = least, most, reason
	return c
}

// repeated returns the claim with other numbers of repetitions.
func (c claim) repeated(full, quick int) claim {
	c.full, c.quick = full, quick
	return c
}

// finding is what the simulation of one claim found.
type finding struct {
	claim
	hits, n, silent int64
}

func (c claim) simulate(repetitions int) finding {
	name := fnv.New64a()
	name.Write([]byte(c.setting))
	random := rand.New(rand.NewPCG(name.Sum64(), 9))
	f := finding{claim: c}
	draw := c.draw()
	for range repetitions {
		switch draw(random) {
		case hit:
			f.hits, f.n = f.hits+1, f.n+1
		case miss:
			f.n++
		default:
			f.silent++
		}
	}
	return f
}

// agrees reports whether the finding is compatible with the claim: their difference may be chance,
// at an overall level of 5 % for all claims.
func (f finding) agrees(claims int) bool {
	lo, hi := stats.Wilson(f.hits, f.n, 1-0.05/float64(claims))
	return f.n > 0 && hi >= f.least && lo <= f.most
}

func (f finding) String() string {
	lo, hi := stats.Wilson(f.hits, f.n, 0.95)
	text := fmt.Sprintf("%-64s %6d  %.4f [%.4f, %.4f]", f.setting, f.n, float64(f.hits)/float64(max(f.n, 1)), lo, hi)
	if f.silent > 0 {
		text += fmt.Sprintf("  no answer in %d", f.silent)
	}
	return text + f.remark()
}

// remark returns a note for the report: limits other than the default with their reason, and a mark
// if the share is outside, with the amount that chance explains.
func (f finding) remark() (text string) {
	if f.reason != "" {
		text = fmt.Sprintf("  %.3g–%.3g: %s", f.least, f.most, f.reason)
	}
	share := float64(f.hits) / float64(max(f.n, 1))
	edge := max(f.least-share, share-f.most)
	if edge <= 0 {
		return text
	}
	at := min(max(share, f.least), f.most)
	noise := 1.96 * math.Sqrt(at*(1-at)/float64(max(f.n, 1)))
	if edge <= noise {
		return text + fmt.Sprintf("  * outside %.4g–%.4g by %.4f, within the noise of %d replications (±%.4f)", f.least,
			f.most, edge, f.n, noise)
	}
	return text + fmt.Sprintf(
		"  ** outside %.4g–%.4g by %.4f, beyond the noise of %d replications (±%.4f), one of the many claims here",
		f.least, f.most, edge, f.n, noise)
}

var _ = Describe("The error rates of intervals and tests, checked by simulation", func() {
	for _, t := range tables {
		It("hold in simulation: "+t.name, Label("long"), func() {
			if os.Getenv("EVALCTL_LONG") == "" {
				Skip("make long runs it")
			}
			for _, c := range t.claims {
				if c.quick > 0 {
					f := c.simulate(c.quick)
					Expect(f.agrees(len(t.claims))).To(BeTrue(), f.String())
				}
			}
		})
	}

	It("cover several settings, some of them checked quickly, and give a reason if they are weaker than the default",
		func() {
			for _, t := range tables {
				quick := 0
				for _, c := range t.claims {
					quick += c.quick
					if c.least != leastCoverage || c.most != mostCoverage {
						Expect(c.reason).NotTo(BeEmpty(), "%s: %s", t.name, c.setting)
					}
				}
				Expect(quick).To(BeNumerically(">", 0), t.name)
			}
		})

	DescribeTable("are marked in the report only if the simulated share is outside the stated range:",
		func(hits, n int64, want types.GomegaMatcher) {
			f := finding{claim: interval("", nil), hits: hits, n: n}
			Expect(f.String()).To(want)
		},
		Entry("no mark: a share inside the range", int64(950), int64(1000), Not(ContainSubstring("*"))),
		Entry("no mark: a share outside by no more than chance", int64(935), int64(1000),
			ContainSubstring("  * outside 0.94–0.965 by 0.0050, within the noise of 1000 replications (±0.0147)")),
		Entry("a share below the range by more than chance", int64(910), int64(1000),
			ContainSubstring("  ** outside 0.94–0.965 by 0.0300, beyond the noise")),
		Entry("a share above the range, from intervals that are too wide", int64(990), int64(1000),
			ContainSubstring("  ** outside")),
	)

	It("fail for an interval of half the width", func() {
		halved := interval("halved", func(random *rand.Rand) outcome {
			var p stats.PairedAccuracy
			pairedPopulation{n: 100, discordance: 0.1}.fill(&p, random)
			lo, hi, ok := p.Interval(0.95)
			quarter := (hi - lo) / 4
			return covers(0)(lo+quarter, hi-quarter, ok)
		})
		Expect(halved.simulate(400).agrees(100)).To(BeFalse())
	})
})

func TestCoverage(t *testing.T) {
	if *coverage == 0 {
		t.Skip("run it with make coverage")
	}
	for _, table := range tables {
		t.Run(table.name, func(t *testing.T) {
			t.Parallel()
			lines := "\n" + table.name + "\n"
			for _, c := range table.claims {
				f := c.simulate(c.full * *coverage / 100)
				lines += "  " + f.String() + "\n"
				if !f.agrees(len(table.claims)) {
					t.Errorf("not as promised: %s", f)
				}
			}
			fmt.Print(lines)
		})
	}
}

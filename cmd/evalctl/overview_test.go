package main

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/clipperhouse/displaywidth"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
	"evalctl/eval"
	"evalctl/eval/journal"
	"evalctl/eval/metric"
)

// wilson returns the Wilson interval of a proportion at 95 %, independently of the program.
func wilson(right, n float64) (lo, hi float64) {
	const z = 1.959963984540054
	p := right / n
	center, half := p+z*z/(2*n), z*math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return (center - half) / (1 + z*z/n), (center + half) / (1 + z*z/n)
}

// correctBy returns, for each scored case of a condition, whether it is correct.
func correctBy(rows map[string]eval.Result) map[string]bool {
	correct := map[string]bool{}
	for _, r := range rows {
		for _, score := range r.Scores {
			if score.Name == "route" && score.Verdict != "" && len(score.Expected) > 0 {
				correct[r.Case] = score.Verdict == eval.Pass
			}
		}
	}
	return correct
}

// pointsBetween returns the mean difference in points over the cases that both conditions scored,
// and how many cases differ.
func pointsBetween(a, b map[string]bool) (points float64, differ int) {
	n, sum := 0.0, 0.0
	for id, right := range a {
		other, ok := b[id]
		if !ok {
			continue
		}
		if n++; right != other {
			differ++
			sum += map[bool]float64{true: 1, false: -1}[right]
		}
	}
	return sum / n, differ
}

// sameDecisions reports whether two conditions predict the same label in every case.
func sameDecisions(a, b map[string]eval.Result) bool {
	for id, r := range b {
		if a[id].Predicted != r.Predicted {
			return false
		}
	}
	return true
}

var overviewLine = regexp.MustCompile(
	`^(\S+)\s+([\d,]+)\s+(\S+)(?: \(\+(\d+)\))?\s+(\S+) % \[(\S+), (\S+)\]\s+(first|(?:~ )?\S+)\s+((?:~ )?\S+)\s+(none|\S+ \S+)\s+(\S+ \S+)$`)

var _ = Describe("28.4: the overview that evalctl run prints", Ordered, Label("long"), func() {
	var screen []string
	var dir string
	rows := countings{}

	BeforeAll(func() {
		dir = newRunDir()
		ran := evalctl("run", "--out", dir)
		Expect(ran.code).To(Equal(exit.Passed), ran.stderr)
		screen = strings.Split(strings.TrimSuffix(ran.stdout, "\n"), "\n")
		for r, err := range journal.ReadRunResults(dir) {
			Expect(err).NotTo(HaveOccurred())
			rows.add(r)
		}
	})

	It("has at most 40 lines of 100 columns", func() {
		Expect(len(screen)).To(BeNumerically("<=", 40))
		for _, line := range screen {
			Expect(displaywidth.Options{}.String(line)).To(BeNumerically("<=", 100), line)
		}
	})

	It("agrees with a recount of results.jsonl in every number", func() {
		summary := summaryOf(dir)
		var cases, trials int64
		seen := 0
		for _, line := range screen {
			m := overviewLine.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			at := slices.IndexFunc(summary.Suites, func(s eval.SuiteSummary) bool { return s.Name == m[1] })
			Expect(at).To(Equal(seen), "suites in their order: %s", line)
			seen++
			overviewRowHolds(summary.Suites[at], rows[m[1]], m)
			ids := map[string]bool{}
			for _, faults := range rows[m[1]] {
				for _, list := range faults {
					trials += int64(len(list))
					for _, r := range list {
						ids[r.Case] = true
					}
				}
			}
			cases += int64(len(ids))
		}
		Expect(seen).To(Equal(6), strings.Join(screen, "\n"))
		Expect(screen[0]).To(HavePrefix(fmt.Sprintf("6 suites · %s · %s · seed 1 · ", metric.Plural(cases, "case"),
			metric.Plural(trials, "trial"))))
	})

	It("is limited to one suite by report --suite", func() {
		one := evalctl("report", dir, "--suite", "studio")
		Expect(one.code).To(Equal(exit.Passed), one.stderr)
		Expect(one.stdout).To(HavePrefix("studio"))
		Expect(one.stdout).NotTo(ContainSubstring("toolrouter"))
		misspelled := evalctl("report", dir, "--suite", "studoi")
		Expect(misspelled.code).To(Equal(exit.InvalidUsage))
		Expect(misspelled.stderr).To(ContainSubstring(`did you mean "studio"`))
		csv := evalctl("report", dir, "--suite", "studio", "--by", "case", "--format", "csv")
		Expect(csv.stdout).To(ContainSubstring("studio"))
		Expect(csv.stdout).NotTo(ContainSubstring("companion"))
	})
})

// overviewRowHolds recounts the numbers in one row: suite, cases, best variant, further variants
// with identical decisions, accuracy, its interval, the differences, the worst fault, p95.
func overviewRowHolds(s eval.SuiteSummary, n counting, m []string) {
	GinkgoHelper()
	var names []string // conditions without a fault, in the order of the suite
	baselines := map[string]bool{}
	for _, c := range s.Conditions {
		if c.Fault == eval.NoFault {
			names = append(names, c.Variant)
			baselines[c.Variant] = c.BaselineModel
		}
	}
	share := func(name string) float64 {
		right, all := 0.0, 0.0
		for _, ok := range correctBy(n.condition(name, eval.NoFault)) {
			if all++; ok {
				right++
			}
		}
		return right / all
	}
	best, baseline := names[0], ""
	same := 0
	for _, name := range names {
		switch {
		case baselines[name] && (baseline == "" || share(name) > share(baseline)):
			baseline = name
		case !baselines[name] && share(name) > share(best):
			best = name
		}
	}
	for _, name := range names {
		if !baselines[name] && name != best &&
			sameDecisions(n.condition(name, eval.NoFault), n.condition(best, eval.NoFault)) {
			same++
		}
	}
	correct := correctBy(n.condition(best, eval.NoFault))
	ids := map[string]bool{}
	for _, r := range n.condition(best, eval.NoFault) {
		ids[r.Case] = true
	}
	Expect(m[2]).To(Equal(metric.FormatInteger(int64(len(ids)))))
	Expect(m[3]).To(Equal(best))
	Expect(m[4]).To(Equal(map[bool]string{true: fmt.Sprint(same)}[same > 0]))
	lo, hi := wilson(share(best)*float64(len(correct)), float64(len(correct)))
	Expect(m[5:8]).To(Equal([]string{metric.FormatPercent(share(best)), metric.FormatPercent(lo),
		metric.FormatPercent(hi)}))

	if best == names[0] {
		Expect(m[8]).To(Equal("first"))
	} else {
		points, _ := pointsBetween(correct, correctBy(n.condition(names[0], eval.NoFault)))
		Expect(strings.TrimPrefix(m[8], "~ ")).To(Equal(metric.FormatPoints(points)))
	}
	if baseline == "" {
		Expect(m[9]).To(Equal(metric.MissingText))
	} else {
		points, _ := pointsBetween(correct, correctBy(n.condition(baseline, eval.NoFault)))
		Expect(strings.TrimPrefix(m[9], "~ ")).To(Equal(metric.FormatPoints(points)))
	}

	worst, fault := 0.0, "none"
	for _, c := range s.Conditions {
		if c.Fault == eval.NoFault || c.Trials == 0 {
			continue
		}
		wrong, _, errorReplies, _ := n.faultEffects(c.Variant, c.Fault)
		worse := wrong + errorReplies + n.failedOrUnscored(c.Variant, c.Fault)
		if share := float64(worse) / float64(c.Trials); share > worst {
			worst, fault = share, metric.FormatPercent(share)
		}
	}
	Expect(m[10]).To(HaveSuffix(fault))

	var times []float64
	for _, r := range n.condition(best, eval.NoFault) {
		for _, t := range r.Turns {
			if t.Answered && t.ErrorReply == "" && t.ErrorReplyCause == "" && !t.IsDeferred {
				times = append(times, float64(t.Duration)/1e6)
			}
		}
	}
	slices.Sort(times)
	near := []string{}
	at := 0.95 * float64(len(times)-1)
	for _, v := range []float64{times[int(math.Floor(at))], times[int(math.Ceil(at))],
		times[int(math.Floor(at))] + (at-math.Floor(at))*(times[int(math.Ceil(at))]-times[int(math.Floor(at))])} {
		near = append(near, metric.FormatTime(v))
	}
	Expect(near).To(ContainElement(m[11]))
}

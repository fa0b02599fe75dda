package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
	"evalctl/eval/journal"
	"evalctl/reports"
)

var _ = Describe("evalctl power", Ordered, func() {
	var three, one string
	BeforeAll(func() {
		home := GinkgoT().TempDir()
		three, one = filepath.Join(home, "three"), filepath.Join(home, "one")
		Expect(evalctl("run", "toolrouter", "--router", "rules,llm,llm-first", "--decision-only", "--sample", "300",
			"--out", three).code).To(Equal(exit.Passed))
		Expect(evalctl("run", "--target", "toolrouter", "--dataset", "toolrouter", "--router", "rules", "--limit", "20",
			"--decision-only", "--out", one).code).To(Equal(exit.Passed))
	})
	BeforeEach(func() { GinkgoT().Setenv("COLUMNS", "100") })

	answered := func(args ...string) (p reports.PowerReport) {
		GinkgoHelper()
		got := evalctl(append([]string{"power", "--format", "json"}, args...)...)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(json.Unmarshal([]byte(got.stdout), &p)).To(Succeed())
		return p
	}

	It("prints the detectable difference for each pair of variants of a run, in at most 24 lines", func() {
		found := answered(three).Suites
		Expect(found).To(HaveLen(1))
		Expect(found[0].Partial).To(BeFalse())
		differences := summaryOf(three).Suites[0].Differences
		Expect(found[0].Comparisons).To(HaveLen(len(differences)))
		for i, a := range found[0].Comparisons {
			d := differences[i]
			Expect([]any{a.Variant, a.ComparedWith, a.Cases, *a.ObservedDiscordantCases, a.FamilySize}).
				To(Equal([]any{d.Variant, d.ComparedWith, d.Cases, d.Fixed + d.Broken, d.FamilySize}))
			Expect(a.RequiredCases).To(HaveLen(4))
		}
		Expect(strings.Count(evalctl("power", three).stdout, "\n")).To(BeNumerically("<=", 24))
	})

	It("15.19: computes the discordance of simulated models as if their errors were independent, and states that",
		func() {
			s, right := summaryOf(three).Suites[0], map[string]float64{}
			for _, c := range s.Conditions {
				Expect(c.Metrics["route.accuracy"].Missing).To(BeZero())
				right[c.Variant] = *c.Metrics["route.accuracy"].Value
			}
			for _, a := range answered(three).Suites[0].Comparisons {
				p, q := right[a.Variant], right[a.ComparedWith]
				Expect(a.DiscordantCases).To(BeEquivalentTo(math.Round(float64(a.Cases)*(p*(1-q)+q*(1-p)))), a.Variant)
			}
			Expect(evalctl("power", three).stdout).
				To(And(ContainSubstring("! Simulated variants"), ContainSubstring("assumes independent errors")))
		})

	It("uses the discordance of --discordant instead of that of the run", func() {
		a := answered(three, "--discordant", "10%", "--difference", "2pp").Suites[0].Comparisons
		Expect(a).To(HaveLen(1))
		Expect([]any{a[0].IsAssumedDiscordance, a[0].Cases, a[0].RequiredCases[0].Cases}).
			To(Equal([]any{true, summaryOf(three).Suites[0].Cases, int64(2344)}))
	})

	It("prints a table of assumed discordances for a run with a single variant", func() {
		got := evalctl("power", one)
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		Expect(got.stdout).To(And(ContainSubstring("20 cases"), ContainSubstring("No variants to compare")))
	})

	It("reports that results of a run are missing", func() {
		part := filepath.Join(GinkgoT().TempDir(), journal.ResultsFile)
		lines := strings.SplitAfter(read(filepath.Join(three, journal.ResultsFile)), "\n")
		Expect(os.WriteFile(part, []byte(strings.Join(lines[:len(lines)-2], "")), 0o600)).To(Succeed())
		Expect(answered(part).Suites[0].Partial).To(BeTrue())
		Expect(evalctl("power", part).stdout).To(ContainSubstring("did not end"))
	})

	It("returns a number of cases for the smallest valid difference", func() {
		for _, a := range answered("--difference", "0.001pp", "--margin", "0.001pp").Suites[0].Comparisons {
			Expect([]int64{a.RequiredCases[0].Cases, a.MarginCases.Cases}).
				To(HaveEach(BeNumerically(">", 1_000_000_000)))
		}
	})

	It("prints a table for --cases without a run", func() {
		a := answered("--cases", "466", "--discordant", "0.1", "--margin", "1pp", "--difference", "2pp").
			Suites[0].Comparisons[0]
		Expect(*a.MinDetectableDifference).To(BeNumerically("~", 0.049691, 1e-5))
		Expect([]int64{a.RequiredCases[0].Cases, a.MarginCases.Cases}).To(Equal([]int64{2344, 6183}))
		Expect(answered().Suites[0].Comparisons).To(HaveLen(5))
	})

	It("shows no default in the help for a rate that is not set", func() {
		Expect(evalctl("power", "--help").stdout).
			To(And(MatchRegexp(`--discordant SHARE .*else of 2% to 30%\)\n`), ContainSubstring("(default 80%)")))
	})

	DescribeTable("refuses invalid arguments in one line", func(want string, args ...string) {
		got := evalctl(append([]string{"power"}, args...)...)
		Expect(got.stderr).To(Equal("evalctl: " + want + "\n"))
		Expect(got.code).To(Equal(exit.InvalidUsage))
		Expect(got.stdout).To(BeEmpty())
	},
		Entry(nil, "power: requires at most one run directory, got 2 arguments", "a", "b"),
		Entry(nil, "power: nowhere contains no run: stat nowhere: no such file or directory", "nowhere"),
		Entry(nil, "--cases: cannot be combined with a run, which has its own cases", "nowhere", "--cases", "5"),
		Entry(nil, "--cases: must be at least 1, got 0", "--cases", "0"),
		Entry(nil, "--cases: must be at most 1000000000, got 1000000001", "--cases", "1000000001"),
		Entry(nil, `--cases: "x" is not a whole number`, "--cases", "x"),
		Entry(nil, `--discordant: "5pp" is not a share like 5% or 0.05`, "--discordant", "5pp"),
		Entry(nil, `--discordant: "5" is not a share like 5% or 0.05`, "--discordant", "5"),
		Entry(nil, `--difference: "2%" is not a difference from 0.001pp to below 100pp, like 2pp`,
			"--difference", "1pp,2%"),
		Entry(nil, `--difference: "0pp" is not a difference from 0.001pp to below 100pp, like 2pp`,
			"--difference", "0pp"),
		Entry("a difference that is too small",
			`--difference: "0.0009pp" is not a difference from 0.001pp to below 100pp, like 2pp`,
			"--difference", "0.0009pp"),
		Entry(nil, `--margin: "0.0009pp" is not a difference from 0.001pp to below 100pp, like 2pp`,
			"--margin", "0.0009pp"),
		Entry(nil, `--difference: "100pp" is not a difference from 0.001pp to below 100pp, like 2pp`,
			"--difference", "100pp"),
		Entry(nil, `--difference: is empty`, "--difference", ""),
		Entry(nil, `--difference: must be at most 20, got 21`, "--difference",
			strings.TrimSuffix(strings.Repeat("1pp,", 21), ",")),
		Entry(nil, `--margin: "1" is not a difference from 0.001pp to below 100pp, like 2pp`, "--margin", "1"),
		Entry(nil, `--power: 40% is not in 50%..99.9%`, "--power", "0.4"),
		Entry(nil, `--power: "80" is not a share like 5% or 0.05`, "--power", "80"),
		Entry(nil, `--alpha: 60% is not in 0.01%..50%`, "--alpha", "60%"),
		Entry(nil, `--alpha: 0 is not in 0.01%..50%`, "--alpha", "0"),
		Entry(nil, `--family-size: must be at least 1, got 0`, "--family-size", "0"),
		Entry(nil, `--format: unknown format "tabel", did you mean "table"?`, "--format", "tabel"),
	)
})

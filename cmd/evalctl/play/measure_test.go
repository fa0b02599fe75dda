package play_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/secret"
	"evalctl/cmd/evalctl/play"
	"evalctl/eval/journal"
	"evalctl/eval/suite"
)

var _ = Describe("RunTrials", func() {
	It("writes the run directory without a report or a job summary, and does not change the garbage collector's setting",
		func() {
			dir := GinkgoT().TempDir()
			page := filepath.Join(dir, "summary.md")
			Expect(os.WriteFile(page, nil, 0o600)).To(Succeed())
			GinkgoT().Setenv("GITHUB_STEP_SUMMARY", page)
			s, err := play.LoadSuite("toolrouter")
			Expect(err).NotTo(HaveOccurred())
			s.Sample, s.Variants, s.Faults = 5, s.Variants[:1], nil
			plan, err := play.NewPlan(play.Config{Suites: []suite.Suite{s}, Seed: 1,
				EndpointOptions: play.EndpointOptions{Secrets: &secret.Set{}}})
			Expect(err).NotTo(HaveOccurred())
			run, err := play.StartOptions{Dir: filepath.Join(dir, "run"), Version: "test"}.Start(plan)
			Expect(err).NotTo(HaveOccurred())
			before := debug.SetGCPercent(77)
			defer debug.SetGCPercent(before)
			sum, err := run.RunTrials(context.Background(), play.Options{})
			Expect(err).NotTo(HaveOccurred())
			Expect(debug.SetGCPercent(77)).To(Equal(77))
			Expect(sum.Suites[0].Cases).To(BeEquivalentTo(5))
			Expect(filepath.Join(dir, "run", "summary.json")).To(BeARegularFile())
			Expect(os.ReadFile(page)).To(BeEmpty())
		})

	It("allocates little memory per trial if rules make the decisions", Label("figures"), func() {
		const few, more = 100, 500
		perTrial := (allocations(more) - allocations(few)) / (more - few)
		Expect(perTrial).To(BeNumerically("<", 150), "of which 1,000,000 are to be played at once")
	})
})

// allocations returns the number of allocations of a run in which rules decide this many cases.
func allocations(cases int64) float64 {
	s, err := play.LoadSuite("toolrouter")
	Expect(err).NotTo(HaveOccurred())
	s.Split, s.Tags, s.Limit, s.DecisionOnly, s.Faults, s.Gates = "", nil, cases, true, nil, nil
	s.Variants = []suite.Variant{{Name: "rules", Settings: map[string]string{"router": "rules"}}}
	return testing.AllocsPerRun(1, func() {
		plan, err := play.NewPlan(play.Config{Suites: []suite.Suite{s}, Seed: 1, Traces: journal.NoTraces,
			EndpointOptions: play.EndpointOptions{Secrets: &secret.Set{}}})
		Expect(err).NotTo(HaveOccurred())
		run, err := play.StartOptions{Dir: filepath.Join(GinkgoT().TempDir(), "run"), Version: "test"}.Start(plan)
		Expect(err).NotTo(HaveOccurred())
		sum, err := run.RunTrials(context.Background(), play.Options{})
		Expect(err).NotTo(HaveOccurred())
		Expect(sum.Suites[0].Conditions[0].Trials).To(Equal(cases))
	})
}

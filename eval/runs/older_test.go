package runs_test

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval/journal"
	"evalctl/eval/runs"
)

// olderRun writes a run in format version 1 and returns its directory.
func olderRun() (dir string) {
	GinkgoHelper()
	dir = GinkgoT().TempDir()
	for _, name := range journal.FileNames() {
		f, err := os.Open(filepath.Join("testdata", "older", name+".gz"))
		Expect(err).NotTo(HaveOccurred())
		zip, err := gzip.NewReader(f)
		Expect(err).NotTo(HaveOccurred())
		text, err := io.ReadAll(zip)
		Expect(err).NotTo(HaveOccurred())
		Expect(f.Close()).To(Succeed())
		Expect(os.WriteFile(filepath.Join(dir, name), text, 0o600)).To(Succeed())
	}
	return dir
}

var _ = Describe("A run in format version 1", func() {
	It("28.8: is read with its original values under the new names", func() {
		dir := olderRun()
		var written struct {
			Suites []struct {
				Variants []struct {
					Name, Fault string
					Metrics     map[string]struct{ Value *float64 }
				}
			}
		}
		text, err := os.ReadFile(filepath.Join(dir, journal.SummaryFile))
		Expect(err).NotTo(HaveOccurred())
		Expect(json.Unmarshal(text, &written)).To(Succeed())

		run, err := runs.Open(dir)
		Expect(err).NotTo(HaveOccurred())
		sum, err := run.Recompute()
		Expect(err).NotTo(HaveOccurred())
		Expect(sum.Partial).To(BeFalse())
		Expect(sum.Suites[0].Models).NotTo(BeEmpty())
		Expect(sum.Suites[0].Clock).To(Equal("simulated"))
		renamed := map[string]string{"apology.rate": "error_reply.rate", "unjudged.rate": "unscored.rate",
			"cost.usd":  "cost.total_usd",
			"tokens.in": "tokens.in_total", "tokens.out": "tokens.out_total", "router.by.gate": "router.by.guard"}
		Expect(sum.Suites[0].Conditions).To(HaveLen(len(written.Suites[0].Variants)))
		compared := 0
		for i, old := range written.Suites[0].Variants {
			now := sum.Suites[0].Conditions[i]
			Expect(now.Variant).To(Equal(old.Name))
			for name, figure := range old.Metrics {
				if to, ok := renamed[name]; ok {
					name = to
				}
				if estimate, ok := now.Metrics[name]; ok {
					compared++
					Expect(estimate.Value).To(Equal(figure.Value), old.Name+" "+old.Fault+" "+name)
				}
			}
			for _, name := range []string{"route.accuracy", "error_reply.rate", "fallback.rate", "latency.p95",
				"router.by.guard"} {
				Expect(now.Metrics).To(HaveKey(name))
			}
		}
		Expect(compared).To(BeNumerically(">", 200))

		found, untraced, err := journal.CaseTrials(dir, run.Summary.Suites[0].Name)
		Expect(err).NotTo(HaveOccurred(), "a case that is not there")
		Expect(found).To(BeEmpty())
		Expect(untraced).To(BeEmpty())
		for r, err := range run.Results() {
			Expect(err).NotTo(HaveOccurred())
			traces, err := journal.CaseTraces(dir, r.Case)
			Expect(err).NotTo(HaveOccurred())
			Expect(traces).NotTo(BeEmpty())
			break
		}
	})

	It("28.8: is rejected if only its summary exists", func() {
		dir := olderRun()
		Expect(os.Remove(filepath.Join(dir, journal.ResultsFile))).To(Succeed())
		_, err := runs.Open(dir)
		Expect(err).To(MatchError(And(ContainSubstring("older format version"),
			ContainSubstring("run the suite again"))))
	})
})

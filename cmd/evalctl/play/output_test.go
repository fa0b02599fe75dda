package play_test

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/secret"
	"evalctl/cmd/evalctl/play"
	"evalctl/eval"
	"evalctl/reports"
)

var _ = Describe("WriteReports", func() {
	It("contains no secret in any format, even if the format escapes or truncates it", func() {
		GinkgoT().Setenv("GITHUB_STEP_SUMMARY", "")
		key := `sk_live<"&'>` + strings.Repeat("0123456789", 20)
		var secrets secret.Set
		secrets.Add(key)
		share := 0.5
		rep := reports.Report{Summary: eval.Summary{Suites: []eval.SuiteSummary{{Name: "mine", Clock: "real", Cases: 2,
			Models: []eval.ModelInfo{{Component: "router", Kind: "real", Note: key}},
			Conditions: []eval.ConditionSummary{{Variant: "v " + key, Fault: eval.NoFault, Trials: 2,
				Metrics: map[string]eval.Estimate{
					"route.accuracy": {Value: &share, N: 2}, "missing.rate": {Value: &share, N: 2}}}}}},
			Gates: []eval.GateVerdict{{Rule: "route.accuracy >= 1", Verdict: eval.GateFailed,
				Reason: "the worst is " + key}}}}
		for _, format := range play.Formats() {
			outputs, err := play.ParseFormats([]string{format})
			Expect(err).NotTo(HaveOccurred())
			var out strings.Builder
			Expect(play.WriteReports(outputs, &out, rep, &secrets)).To(Succeed())
			Expect(out.String()).NotTo(Or(ContainSubstring("live"), ContainSubstring("0123456789")), format)
			Expect(out.String()).NotTo(BeEmpty())
		}
	})

	It("writes the other outputs if one of them fails", func() {
		GinkgoT().Setenv("GITHUB_STEP_SUMMARY", "")
		rep := reports.Report{Summary: eval.Summary{Suites: []eval.SuiteSummary{{Name: "mine", Clock: "real", Cases: 2,
			Conditions: []eval.ConditionSummary{{Variant: "v", Fault: eval.NoFault, Trials: 2}}}}}}
		dir := GinkgoT().TempDir()
		write := func(wanted ...string) error {
			outputs, err := play.ParseFormats(wanted)
			Expect(err).NotTo(HaveOccurred())
			return play.WriteReports(outputs, io.Discard, rep, &secret.Set{})
		}
		wanted := []string{"table=" + filepath.Join(dir, "not", "there")}
		for _, format := range play.Formats() {
			Expect(write(format + "=" + filepath.Join(dir, format+".alone"))).To(Succeed())
			for _, name := range []string{".one", ".other", ".other"} {
				wanted = append(wanted, format+"="+filepath.Join(dir, format+name))
			}
		}
		Expect(write(wanted...)).
			To(MatchError(ContainSubstring("--format table=" + filepath.Join(dir, "not", "there"))))
		for _, format := range play.Formats() {
			alone, err := os.ReadFile(filepath.Join(dir, format+".alone"))
			Expect(err).NotTo(HaveOccurred())
			for _, name := range []string{".one", ".other"} {
				Expect(os.ReadFile(filepath.Join(dir, format+name))).To(Equal(alone), format)
			}
		}
	})
})

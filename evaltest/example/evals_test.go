// Package helpdesk_test evaluates a shop's prompt and its rule-based agent on labeled messages, as
// part of go test.
package helpdesk_test

import (
	"os"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"example.com/helpdesk/desk"

	"evalctl/eval"
	"evalctl/evaltest"
)

func TestHelpdesk(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "Helpdesk")
}

var _ = Describe("The prompt", func() {
	It("classifies at least 95 % of the messages correctly, in both languages", func() {
		// EVALS_OUT is the directory for the run: in CI on the main branch, its results are stored
		// as the baseline
		report := evaltest.Options{OutDir: os.Getenv("EVALS_OUT")}.Run(GinkgoTB(),
			evaltest.Suite{From: "evals/suite.yaml"})
		Expect(report).To(evaltest.HaveMetric("route.accuracy", BeNumerically(">=", .95)))
		Expect(report).To(evaltest.HaveMetric("route.accuracy{tag=lang:zh}", BeNumerically(">=", .95)))
		Expect(report).To(evaltest.PassGate("latency.p95 <= 1s"))
	})

	It("has no new failures compared with the baseline run", func() {
		baseline := os.Getenv("EVALS_BASELINE")
		if baseline == "" {
			Skip("EVALS_BASELINE names no run that was kept")
		}
		report := evaltest.Run(GinkgoTB(), evaltest.Suite{From: "evals/suite.yaml"})
		Expect(report).To(evaltest.HaveNoNewFailures(baseline))
	})
})

var _ = Describe("The rules", func() {
	It("classify every case of the dataset correctly", func() {
		report := evaltest.Run(GinkgoTB(), evaltest.Suite{
			Name: "rules", Agent: desk.New(), Dataset: "evals/cases.jsonl",
			Labels: []string{"delivery", "refund", "invoice"},
		})
		Expect(report).To(evaltest.HaveMetric("route.accuracy", 1.0))
	})

	It("assign the label delivery to messages without a matching rule", func() {
		report := evaltest.Run(GinkgoTB(), evaltest.Suite{Name: "unknown", Agent: desk.New(),
			Cases:  []eval.Case{evaltest.Case("u1", "hello?", "delivery"), evaltest.Case("u2", "你好", "delivery")},
			Labels: []string{"delivery", "refund", "invoice"}})
		Expect(report).To(evaltest.PassGate("route.accuracy >= 100%"))
	})
})

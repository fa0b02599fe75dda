// Package helpdesk_test holds the shop's prompt, and its agent, against labelled
// messages on every go test.
package helpdesk_test

import (
	"os"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/evaltest"
	"example.com/helpdesk/desk"
)

func TestHelpdesk(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "Helpdesk")
}

var _ = Describe("the prompt", func() {
	It("sorts nineteen messages in twenty, and both languages alike", func() {
		// EVALS_OUT keeps the run: in CI that of the main branch.
		report := evaltest.Options{Out: os.Getenv("EVALS_OUT")}.Run(GinkgoTB(), evaltest.Suite{From: "evals/suite.yaml"})
		Expect(report).To(evaltest.HaveMetric("route.accuracy", BeNumerically(">=", .95)))
		Expect(report).To(evaltest.HaveMetric("route.accuracy{tag=lang:zh}", BeNumerically(">=", .95)))
		Expect(report).To(evaltest.PassGate("latency.p95 <= 1s"))
	})

	It("sorts all messages right that it did before", func() {
		baseline := os.Getenv("EVALS_BASELINE")
		if baseline == "" {
			Skip("EVALS_BASELINE names no run that was kept")
		}
		report := evaltest.Run(GinkgoTB(), evaltest.Suite{From: "evals/suite.yaml"})
		Expect(report).To(evaltest.HaveNoNewFailures(baseline))
	})
})

var _ = Describe("the rules", func() {
	It("sort every message that we know", func() {
		report := evaltest.Run(GinkgoTB(), evaltest.Suite{
			Name: "rules", Agent: desk.New(), Dataset: "evals/cases.jsonl", Labels: []string{"delivery", "refund", "invoice"},
		})
		Expect(report).To(evaltest.HaveMetric("route.accuracy", 1.0))
	})

	It("take what they do not know for a delivery", func() {
		report := evaltest.Run(GinkgoTB(), evaltest.Suite{Name: "unknown", Agent: desk.New(),
			Cases:  []eval.Case{evaltest.Case("u1", "hello?", "delivery"), evaltest.Case("u2", "你好", "delivery")},
			Labels: []string{"delivery", "refund", "invoice"}})
		Expect(report).To(evaltest.PassGate("route.accuracy >= 100%"))
	})
})

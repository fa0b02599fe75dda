package main

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
	"evalctl/eval"
)

var _ = Describe("the attribution of a missing decision", func() {
	const limit = "12"

	// under runs cases with and without a fault. It returns the results under the fault, and whole,
	// the predictions without it.
	under := func(fault string, args ...string) (list []eval.Result, whole map[string]string) {
		GinkgoHelper()
		dir := newRunDir()
		got := evalctl(append([]string{"run", "--limit", limit, "--decision-only", "--fault", fault, "--out",
			dir, "-q"}, args...)...)
		Expect(got.code).To(BeElementOf(exit.Passed, exit.Incomplete), got.stderr)
		whole = map[string]string{}
		for _, r := range resultsOf(dir) {
			if r.Fault == fault {
				list = append(list, r)
			} else {
				whole[r.Case] = r.Predicted
			}
		}
		Expect(list).To(HaveLen(12))
		return list, whole
	}

	for _, kind := range []string{"truncated_stream", "empty_content", "error_in_stream", "stalled_stream", "reset",
		"content_blocked"} {
		DescribeTable("is to the provider under the fault "+kind+": the trial is unscored and not wrong,",
			func(part string, args ...string) {
				rows, whole := under(part+":"+kind, args...)
				for _, r := range rows {
					// X3: the decision was complete before the cut; the studio's rules had no
					// confidence
					if r.DecidedBy == "llm" || r.DecidedBy == "rules" {
						Expect(kind).To(Equal("truncated_stream"))
						Expect(r.Predicted).To(Equal(whole[r.Case]), r.Case)
						continue
					}
					Expect(r.DecidedBy).To(BeEmpty(), r.Case)
					Expect(r.Correct).To(BeNil(), r.Case)
					Expect(r.Predicted).To(BeElementOf("", "unknown"), r.Case)
					if r.Error != nil {
						Expect(r.Error.Kind).To(BeElementOf(eval.ProviderError, eval.TimeoutError), r.Case)
					} else {
						Expect(r.ErrorReply).To(Equal("PLANNER_FAILED"), r.Case)
					}
				}
			},
			Entry("in a router with only a model", "router", "--target", "toolrouter", "--router", "llm"),
			Entry("in a prompt that requests JSON", "model", "--target", "prompt"),
			Entry("in a prompt that requests a label", "model", "--target", "prompt", "--answer-format", "plain"),
			Entry("in a planner", "router", "--target", "studio", "--profile", "v2"),
			Entry("in a planner that requests a plan twice", "router", "--target", "studio", "--profile", "v1"),
		)

		It("is to the rules under the fault "+kind+" if they are the fallback of the model", func() {
			rows, whole := under("router:"+kind, "--target", "toolrouter", "--router", "llm-first")
			for _, r := range rows {
				if r.DecidedBy == "llm" { // X3, as above
					Expect(kind).To(Equal("truncated_stream"))
					Expect(r.Predicted).To(Equal(whole[r.Case]), r.Case)
					continue
				}
				Expect(r.DecidedBy).To(Equal("rules"), r.Case)
				Expect(r.Correct).NotTo(BeNil(), r.Case)
				Expect(r.Error).To(BeNil(), r.Case)
			}
		})
	}

	It("is to the model if a complete answer contains no decision: the answer is wrong", func() {
		rows, _ := under("router:malformed_json", "--target", "toolrouter", "--router", "llm")
		for _, r := range rows {
			Expect(r.Predicted).To(Equal("invalid"), r.Case)
			Expect(r.Correct).To(HaveValue(BeFalse()), r.Case)
		}
	})

	It("does not depend on the answer after the decision: every decision counts, even if that answer failed", func() {
		dir := newRunDir()
		Expect(evalctl("run", "--target", "toolrouter", "--router", "llm", "--limit", "60", "--fault",
			"chat:server_error", "--out", dir, "-q").code).To(Equal(exit.Passed))
		conditions := summaryOf(dir).Suites[0].Conditions
		whole, broken := conditions[0].Metrics, conditions[1].Metrics
		Expect(broken["missing.rate"].Value).To(HaveValue(BeNumerically(">", 0.2)))
		Expect(broken["route.accuracy"].N).To(Equal(whole["route.accuracy"].N))
		Expect(broken["route.accuracy"].Value).To(Equal(whole["route.accuracy"].Value))
		Expect(broken["route.accuracy"].Missing).To(BeZero())
	})
})

package main

import (
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
	"evalctl/eval"
)

// A run of both profiles shows the differences between the two versions of the studio's design.
var _ = Describe("a report that compares the profiles v1 and v2 of the studio", Ordered, func() {
	conditions := map[string]eval.ConditionSummary{}
	var rows []eval.Result
	metric := func(condition, name string) float64 {
		GinkgoHelper()
		e, ok := conditions[condition].Metrics[name]
		Expect(ok).To(BeTrue(), "%s of %s", name, condition)
		Expect(e.Value).NotTo(BeNil(), "%s of %s", name, condition)
		return *e.Value
	}
	each := func(variant, fault, served string, f func(eval.Result)) {
		GinkgoHelper()
		n := 0
		for _, r := range rows {
			if r.Variant == variant && r.Fault == fault && (served == "" || r.AnsweredBy == served) {
				f(r)
				n++
			}
		}
		Expect(n).To(BeNumerically(">", 5))
	}

	BeforeAll(func() {
		dir := newRunDir()
		text := withoutFaults(certainStudio(
			"{confidence: 0.5, accuracy: 1}, {confidence: 0.7, accuracy: 1}, {confidence: 0.85, accuracy: 1}, {confidence: 0.99, accuracy: 1}"))
		for _, profile := range []string{"v2", "v1"} {
			text = withFaults(text, profile, "router:malformed_json", "image:server_error")
		}
		sure := fileOf("sure.yaml", text)
		Expect(evalctl("run", sure, "--out", dir, "-q").code).To(Equal(exit.Passed))
		for _, c := range summaryOf(dir).Suites[0].Conditions {
			conditions[c.Variant+"/"+c.Fault] = c
		}
		rows = resultsOf(dir)
	})

	It("S5: counts up to 4 images per request for v2 and 3 for v1", Label("long"), func() {
		Expect(conditions["v2/none"].LoopRounds).To(HaveLen(4))
		Expect(conditions["v2-llm/none"].LoopRounds).To(HaveLen(4))
		Expect(conditions["v1/none"].LoopRounds).To(HaveLen(3))
		Expect(conditions["v1-llm/none"].LoopRounds).To(HaveLen(3))
	})

	It("S5: shows that v1's heuristic critic gains nothing by generating the same prompt again", Label("long"), func() {
		Expect(metric("v1/none", "critic.gain_per_loop")).To(BeZero())
		Expect(metric("v2/none", "critic.gain_per_loop")).NotTo(BeZero())
	})

	It("S1: has no decision \"unknown\" for v1, which generates images for requests that v2 refuses", func() {
		Expect(metric("v2/none", "route.recall.unknown")).To(BeNumerically(">", 0.9))
		Expect(metric("v1/none", "route.recall.unknown")).To(BeNumerically("<", 0.5))
	})

	It("S3: shows that v1 searches styles only if one is named", func() {
		searches := func(condition string) int64 { return conditions[condition].Metrics["node.rag.p50"].N }
		Expect(searches("v1/none")).To(BeNumerically(">", 30))
		Expect(searches("v1/none")).To(BeNumerically("<", searches("v2/none")/2))
	})

	It("S4: shows that edits of areas take 3 to 4 s in v1 and 2 to 3 s in v2, and adjustments exactly 1.5 s in v2",
		func() {
			single := func(variant, served string, from, to time.Duration) {
				GinkgoHelper()
				each(variant, eval.NoFault, served, func(r eval.Result) {
					for _, n := range r.Nodes {
						if n.Node == "executor" && n.Calls == 1 && !strings.HasPrefix(r.Case, "st-dlg") {
							Expect(time.Duration(n.Duration)).
								To(And(BeNumerically(">=", from), BeNumerically("<=", to)),
									r.Case)
						}
					}
				})
			}
			single("v1", "generate_image", 2*time.Second, 3*time.Second)
			single("v1", "inpainting", 3*time.Second, 4*time.Second)
			single("v1", "adjust_parameters", 2*time.Second, 3*time.Second)
			single("v2", "generate_image", 2*time.Second, 3*time.Second)
			single("v2", "inpainting", 2*time.Second, 3*time.Second)
			single("v2", "adjust_parameters", 1500*time.Millisecond, 1500*time.Millisecond)
		})

	It("S4: shows that a failing executor is called 4 times in v2 and once in v1", func() {
		for variant, calls := range map[string]int64{"v2": 4, "v1": 1} {
			n := 0
			each(variant, "image:server_error", "failed", func(r eval.Result) {
				if r.ErrorReply == "EXECUTOR_FAILED" && !strings.HasPrefix(r.Case, "st-dlg") {
					Expect(callsOf(r, "executor")).To(Equal(calls), "%s of %s", r.Case, variant)
					n++
				}
			})
			Expect(n).To(BeNumerically(">", 50))
		}
		Expect(metric("v2/image:server_error", "calls.mean")).
			To(BeNumerically(">", 2+metric("v1/image:server_error", "calls.mean")))
	})

	It("S2: shows that after an unreadable plan v1 requests another plan and generates an image, but v2 uses the words of the plan",
		func() {
			Expect(metric("v1/router:malformed_json", "route.recall.adjust_parameters")).To(BeNumerically("<", 0.5))
			Expect(metric("v2/router:malformed_json", "route.recall.adjust_parameters")).
				To(And(BeNumerically(">", 0.6), BeNumerically("<", 0.9)),
					"15.14: where the damage left the action in the answer")
			each("v1", "router:malformed_json", "generate_image", func(r eval.Result) {
				Expect(callsOf(r, "planner")).To(BeNumerically(">=", 2), r.Case)
			})
		})

	It("S8: shows that for a second request in a session v2 waits and v1 replies that it is busy", func() {
		Expect(conditions["v2/none"].Metrics).NotTo(HaveKey("error_reply.BUSY"))
		Expect(metric("v1/none", "error_reply.BUSY")).To(BeNumerically(">", 0))
	})
})

package metric_test

import (
	"slices"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/metric"
)

var _ = Describe("the metrics of a fault matrix", func() {
	const fault = "router:timeout"
	row := func(id, fault string, change func(*eval.Result)) eval.Result {
		r := eval.Result{Suite: "s", Case: id, Variant: "v", Fault: fault, Epoch: 1, Expected: eval.OneOf{"a"},
			Predicted: "a", AnsweredBy: "a",
			Duration: eval.Millis(time.Second), Calls: 2, Tokens: eval.Tokens{In: 10, Out: 5},
			Turns: []eval.TurnSummary{{Answered: true}}}
		if change != nil {
			change(&r)
		}
		return r
	}
	judged := func(v eval.Verdict) []eval.Score { return []eval.Score{{Name: eval.FaultCorrectScore, Verdict: v}} }
	summarize := func(matrix bool, rows ...eval.Result) map[string]eval.Estimate {
		GinkgoHelper()
		t := metric.NewCollector([]eval.SuiteSummary{{Name: "s", FaultMatrix: matrix, Epochs: 1,
			Conditions: []eval.ConditionSummary{
				{Variant: "v", Fault: eval.NoFault}, {Variant: "v", Fault: fault},
				{Variant: "w", Fault: eval.NoFault}}}})
		for _, r := range rows {
			Expect(t.Add(r)).To(Succeed())
		}
		return t.Summarize().Suites[0].Conditions[1].Metrics
	}
	rows := []eval.Result{
		row("1", eval.NoFault, nil), row("2", eval.NoFault, nil), row("3", eval.NoFault, nil),
		row("4", eval.NoFault, nil),
		row("1", fault, func(r *eval.Result) { // answered late by the wrong route
			r.TriggeredFaults, r.AnsweredBy, r.Duration, r.Calls, r.Scores = []string{fault}, "b", eval.Millis(
				4*time.Second), 5, judged(eval.Pass)
		}),
		row("2", fault, func(r *eval.Result) { // ended in an error
			r.TriggeredFaults, r.AnsweredBy, r.Error, r.Tokens.In, r.Scores = []string{fault}, "", &eval.Error{Kind: eval.TimeoutError}, 0, judged(eval.Fail)
		}),
		row("3", fault, nil), // not affected by the fault
		// fell back, but was not affected by the fault
		row("4", fault, func(r *eval.Result) { r.Fallbacks, r.AnsweredBy = []eval.Fallback{{From: "x"}}, "c" }),
	}

	It("count affected, correct, answered and misrouted trials, and compare their cost with the same case without a fault",
		func() {
			m := summarize(true, rows...)
			value := func(name string) (float64, int64) {
				Expect(m).To(HaveKey(name))
				Expect(m[name].Value).NotTo(BeNil(), name)
				return *m[name].Value, m[name].N
			}
			for name, want := range map[string]struct {
				v float64
				n int64
			}{
				"fault.affected": {0.5, 4}, "fault.correct": {0.5, 2}, "fault.unspecified": {0, 2},
				"fault.recovered": {0.5, 2}, "fault.misrouted": {0.5, 2},
				"fault.added_calls": {1.5, 2}, "fault.added_tokens": {-5, 2}, "fault.added_p95": {3000, 2},
			} {
				v, n := value(name)
				Expect(v).To(BeNumerically("~", want.v, 1e-12), name)
				Expect(n).To(Equal(want.n), name)
			}
			Expect(m["fallback.correct"].N).To(BeZero(), "no affected trial fell back")
		})

	It("count an affected trial without an expected outcome as missing", func() {
		affected := func(id string, scores []eval.Score, failed *eval.Error) []eval.Result {
			return []eval.Result{row(id, eval.NoFault, nil), row(id, fault, func(r *eval.Result) {
				r.TriggeredFaults, r.Fallbacks, r.Scores, r.Error = []string{fault}, []eval.Fallback{{From: "router"}}, scores, failed
			})}
		}
		lost := affected("5", nil, &eval.Error{Kind: eval.ScorerError})
		unstated := slices.Concat(affected("2", nil, nil), affected("3", nil, nil),
			affected("4", nil, &eval.Error{Kind: eval.TimeoutError}))
		m := summarize(true, slices.Concat(affected("1", judged(eval.Pass), nil), unstated, lost)...)
		Expect(m["fault.correct"]).
			To(And(HaveField("N", BeEquivalentTo(1)), HaveField("Missing", BeEquivalentTo(4)),
				HaveField("WorstCase", HaveValue(Equal(0.2)))))
		Expect(m["fault.unspecified"]).
			To(And(HaveField("N", BeEquivalentTo(5)), HaveField("Value", HaveValue(Equal(0.6)))))
		Expect(m["fallback.correct"]).
			To(And(HaveField("N", BeEquivalentTo(1)), HaveField("Missing", BeEquivalentTo(4))))
		m = summarize(true, unstated...)
		Expect(m).NotTo(HaveKey("fault.correct"))
		Expect(m["fault.unspecified"].Value).To(HaveValue(Equal(1.0)))
		Expect(summarize(true, lost...)["fault.correct"].Missing).To(BeEquivalentTo(1))
	})

	It("count an expected outcome from the suite's table as a correct fallback if the trial fell back", func() {
		m := summarize(true, row("1", eval.NoFault, nil), row("1", fault, func(r *eval.Result) {
			r.TriggeredFaults, r.Fallbacks, r.Scores = []string{fault}, []eval.Fallback{{From: "router",
				To: "rules"}}, judged(eval.Pass)
		}))
		Expect(m["fallback.correct"].Value).To(HaveValue(Equal(1.0)))
	})

	It("count a fallback as recovered or correct only in affected trials", func() {
		unstruck := row("1", fault, func(r *eval.Result) {
			r.Fallbacks, r.Scores = []eval.Fallback{{From: "router",
				To: "rules"}}, []eval.Score{{Name: eval.FallbackScore, Verdict: eval.Pass}}
		})
		m := summarize(true, row("1", eval.NoFault, nil), unstruck)
		Expect(m).NotTo(HaveKey("fallback.recovered"))
		Expect(m).NotTo(HaveKey("fault.misrouted"))
		Expect(m["fallback.correct"].Value).To(BeNil())
		Expect(m["fallback.rate"].Value).To(HaveValue(Equal(1.0)))
		Expect(summarize(false, row("1", eval.NoFault, nil), unstruck)["fallback.recovered"].N).
			To(Equal(int64(1)), "outside a matrix")
	})

	It("omit the added time of a trial if it or its pair has cached calls", func() {
		cached := func(r *eval.Result) { r.CachedCalls = 1 }
		hit := func(r *eval.Result) { r.TriggeredFaults, r.Duration = []string{fault}, eval.Millis(3*time.Second) }
		m := summarize(true, row("1", eval.NoFault, nil), row("2", eval.NoFault, cached), row("3", eval.NoFault, nil),
			row("1", fault, hit), row("2", fault, hit),
			row("3", fault, func(r *eval.Result) { hit(r); cached(r); r.Duration = 0 }))
		Expect(m["fault.added_p95"]).To(Equal(eval.Estimate{Value: new(2000.0), N: 1, Missing: 2}))
		Expect(m["fault.added_calls"].N).To(Equal(int64(3)))
		all := summarize(true, row("1", eval.NoFault, cached), row("1", fault, hit))["fault.added_p95"]
		Expect(all.Value).To(BeNil())
		Expect(all.Missing).To(Equal(int64(1)))
	})

	It("count the added tokens of a trial that failed without usage as missing", func() {
		hit := func(r *eval.Result) { r.TriggeredFaults = []string{fault} }
		m := summarize(true, row("1", eval.NoFault, nil), row("1", fault, hit),
			row("2", eval.NoFault, nil), row("2", fault, func(r *eval.Result) {
				hit(r)
				r.Error, r.Tokens = &eval.Error{Kind: eval.TimeoutError}, eval.Tokens{}
			}))
		Expect(m["fault.added_tokens"]).
			To(And(HaveField("Value", HaveValue(BeZero())), HaveField("N", int64(1)), HaveField("Missing", int64(1))))
	})

	It("contain only the share of affected trials if the fault was never triggered", func() {
		m := summarize(true, row("1", eval.NoFault, nil), row("1", fault, nil))
		Expect(m["fault.affected"].Value).To(HaveValue(BeZero()))
		Expect(m).NotTo(HaveKey("fault.correct"))
		Expect(m).NotTo(HaveKey("fault.recovered"))
	})

	It("compare the labeled decision in a turn with several decisions", func() {
		m := summarize(true, row("1", eval.NoFault, nil), row("1", fault, func(r *eval.Result) {
			r.TriggeredFaults, r.AnsweredBy, r.Turns[0].HasDecisionSequence = []string{fault}, "END", true
		}))
		Expect(m["fault.misrouted"].Value).To(HaveValue(BeZero()))
	})

	It("count a trial as misrouted only if it is not misrouted without the fault", func() {
		astray := func(r *eval.Result) { r.AnsweredBy = "b" }
		affected := func(r *eval.Result) { r.TriggeredFaults, r.AnsweredBy = []string{fault}, "c" }
		m := summarize(true, row("1", eval.NoFault, astray), row("1", fault, affected),
			row("2", eval.NoFault, nil), row("2", fault, affected), row("3", fault, affected))
		Expect(m["fault.misrouted"]).To(And(HaveField("N", int64(3)), HaveField("Value", HaveValue(Equal(2.0/3)))))
	})

	It("are absent in other suites", func() {
		Expect(summarize(false, rows...)).NotTo(HaveKey("fault.affected"))
	})
})

package metric_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/llm"
	"evalctl/eval"
	"evalctl/eval/metric"
)

// conditionWithDecider returns the summary of results of a suite in which the node router makes the
// decisions.
func conditionWithDecider(results ...eval.Result) eval.ConditionSummary {
	GinkgoHelper()
	t := metric.NewCollector([]eval.SuiteSummary{{Name: "s", Epochs: 1,
		Conditions: []eval.ConditionSummary{{Variant: "v", Fault: eval.NoFault, DeciderNode: "router"}}}})
	for _, r := range results {
		Expect(t.Add(r)).To(Succeed())
	}
	return t.Close().Suites[0].Conditions[0]
}

// decidedBy returns a trial in which the deciding model was called. source is what made the
// decision. said is the model's valid answer; nil: the call failed or the answer was invalid, for
// the reason failed.
func decidedBy(id, source string, failed llm.ErrorKind, said *agent.ModelDecision) eval.Result {
	r := row(id)
	r.Turns[0].DecidedBy, r.Turns[0].ModelDecision = source, said
	r.Nodes = []eval.NodeVisit{{Node: "router", Turn: 1, Calls: 1, CallError: failed}}
	return r
}

var _ = Describe("The metrics of the deciding model's answers", Label("definition"), func() {
	said := &agent.ModelDecision{Label: "chat"}

	It("15.24: count the answers by use, by the reason for not using them, and by what decided instead", func() {
		uncalled := decidedBy("z", "rules", "", nil)
		uncalled.Nodes = nil
		custom := decidedBy("y", "agent", llm.KindUnknownLabel, nil)
		custom.ExternalRequests = 1
		m := conditionWithDecider(decidedBy("a", "llm", "", said), decidedBy("b", "llm", "", said),
			decidedBy("c", "rules", llm.KindMalformedJSON, nil), decidedBy("d", "rules", llm.KindRefusal, nil),
			decidedBy("e", "rules", "low_confidence", said),
			decidedBy("f", "guard", "", &agent.ModelDecision{Label: "chat", DecisionIfAccepted: "time"}),
			decidedBy("g", "llm", llm.KindUnknownLabel, nil),
			decidedBy("h", "llm", "low_confidence", said), decidedBy("i", "rules", llm.KindTimeout, nil),
			decidedBy("j", "", llm.KindTimeout, nil), uncalled, custom).Metrics
		expectRatio(m["router.answer_used"], 2, 9, 1)
		for reason, n := range map[string]int{"malformed_json": 1, "model_refusal": 1, "low_confidence": 2,
			"overruled": 1, "unknown_label": 1, "timeout": 1} {
			expectRatio(m["router.answer_unused."+reason], n, 9, 1)
		}
		for source, n := range map[string]int{"rules": 4, "guard": 1, "nobody": 1, "fallback": 1} {
			expectRatio(m["router.decided_instead."+source], n, 9, 1)
		}
	})

	It("15.24: count each step of a turn with several decisions, and a corrected answer as used",
		func() {
			r := decidedBy("a", "llm", "", said)
			r.Turns[0].Steps = []agent.Step{followed, corrected, sentBack, unread,
				{Proposed: "poet", DecidedBy: "llm", Reason: "unknown_agent"}, approved, ended}
			m := conditionWithDecider(r).Metrics
			expectRatio(m["router.answer_used"], 4, 6, 0)
			expectRatio(m["router.answer_unused.unknown_agent"], 1, 6, 0)
		})

	It("15.24: are absent if no model is called; retried requests are a separate metric", func() {
		r := decidedBy("a", "rules", "", nil)
		r.Nodes = nil
		Expect(conditionWithDecider(r).Metrics).NotTo(Or(HaveKey("router.answer_used"), HaveKey("calls.retried")))
		r.Calls, r.RetriedRequests = 21, 1
		Expect(conditionWithDecider(r).Metrics["calls.retried"]).To(Equal(eval.Estimate{N: 21, Value: new(1.0)}))
	})
})

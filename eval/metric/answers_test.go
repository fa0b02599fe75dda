package metric_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/llm"
	"evalctl/eval"
	"evalctl/eval/metric"
)

// ofDecider is the cell of a suite whose model decides under the node router.
func ofDecider(results ...eval.Result) eval.ConditionSummary {
	GinkgoHelper()
	t := metric.NewTable([]eval.SuiteSummary{{Name: "s", Epochs: 1, Decider: "router", Conditions: []eval.ConditionSummary{{Name: "v", Fault: eval.NoFault}}}})
	for _, r := range results {
		Expect(t.Add(r)).To(Succeed())
	}
	return t.Close().Suites[0].Conditions[0]
}

// by is a trial whose deciding model was called: source decided, and said is the model's
// valid answer, nil where there is none, for the reason failed.
func by(id, source string, failed llm.ErrorKind, said *agent.ModelDecision) eval.Result {
	r := row(id)
	r.Turns[0].DecidedBy, r.Turns[0].ModelDecision = source, said
	r.Nodes = []eval.NodeVisit{{Node: "router", Turn: 1, Calls: 1, CallError: failed}}
	return r
}

var _ = Describe("The answers of the deciding model", Label("definition"), func() {
	said := &agent.ModelDecision{Label: "chat"}

	It("15.24: are counted by whether they were used, why not, and who decided instead", func() {
		uncalled := by("z", "rules", "", nil)
		uncalled.Nodes = nil
		custom := by("y", "agent", llm.KindLabel, nil)
		custom.ExternalRequests = 1
		m := ofDecider(by("a", "llm", "", said), by("b", "llm", "", said), by("c", "rules", llm.KindMalformedJSON, nil), by("d", "rules", llm.KindRefusal, nil),
			by("e", "rules", "low_confidence", said), by("f", "guard", "", &agent.ModelDecision{Label: "chat", IfAccepted: "time"}), by("g", "llm", llm.KindLabel, nil),
			by("h", "llm", "low_confidence", said), by("i", "rules", llm.KindTimeout, nil), by("j", "", llm.KindTimeout, nil), uncalled, custom).Metrics
		expectRatio(m["router.answer_used"], 2, 9, 1)
		for reason, n := range map[string]int{"malformed_json": 1, "model_refusal": 1, "low_confidence": 2, "overruled": 1, "unknown_label": 1, "timeout": 1} {
			expectRatio(m["router.answer_unused."+reason], n, 9, 1)
		}
		for source, n := range map[string]int{"rules": 4, "guard": 1, "nobody": 1, "fallback": 1} {
			expectRatio(m["router.decided_instead."+source], n, 9, 1)
		}
	})

	It("15.24: are of each step of a turn that is decided again and again, where a correction is no unused answer", func() {
		r := by("a", "llm", "", said)
		r.Turns[0].Steps = []agent.Step{followed, corrected, sentBack, unread, {Proposed: "poet", DecidedBy: "llm", Reason: "unknown_agent"}, approved, ended}
		m := ofDecider(r).Metrics
		expectRatio(m["router.answer_used"], 4, 6, 0)
		expectRatio(m["router.answer_unused.unknown_agent"], 1, 6, 0)
	})

	It("15.24: are no metric where no model is called, and have the count of requests that were sent again beside them", func() {
		r := by("a", "rules", "", nil)
		r.Nodes = nil
		Expect(ofDecider(r).Metrics).NotTo(Or(HaveKey("router.answer_used"), HaveKey("calls.retried")))
		r.Calls, r.Retried = 21, 1
		Expect(ofDecider(r).Metrics["calls.retried"]).To(Equal(eval.Estimate{N: 21, Value: new(1.0)}))
	})
})

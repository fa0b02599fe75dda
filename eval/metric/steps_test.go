package metric_test

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/eval"
	"evalctl/eval/metric"
)

// One step of each kind that a supervisor can make.
var (
	followed  = agent.Step{Proposed: "a", Executed: "a", DecidedBy: "llm"}
	corrected = agent.Step{Proposed: "a", Executed: "b", DecidedBy: "precondition", Reason: "needs_b"}
	sentBack  = agent.Step{Proposed: "END", DecidedBy: "precondition", Reason: "end_rejected"}
	unread    = agent.Step{DecidedBy: "llm", Reason: "no_decision"}
	approved  = agent.Step{Executed: "END", DecidedBy: agent.DecidedByReview}
	ended     = agent.Step{Proposed: "a", Executed: "END", DecidedBy: agent.DecidedByMaxIterations,
		Reason: "max_iterations"}
)

// withSteps returns a trial with one turn that consists of the given steps.
func withSteps(id string, steps ...agent.Step) eval.Result {
	r := row(id)
	r.Turns[0].Steps, r.Turns[0].HasDecisionSequence = steps, len(steps) > 1
	return r
}

var _ = Describe("The metrics of turns with several decisions", Label("definition"), func() {
	It("N2: contain the rate of corrected decisions, and one rate for each reason", func() {
		c := of(withSteps("a", followed, corrected, followed, approved),
			withSteps("b", corrected, sentBack, unread, ended))
		// the approval is not a decision, and the unreadable decision named no agent
		expectRatio(c.Metrics["supervisor.correction_rate"], 2, 6, 1)
		expectRatio(c.Metrics["supervisor.correction_rate.needs_b"], 2, 6, 1)
		expectRatio(c.Metrics["supervisor.called_again_rate"], 2, 7, 0)
		expectRatio(c.Metrics["supervisor.called_again_rate.end_rejected"], 1, 7, 0)
		expectRatio(c.Metrics["supervisor.called_again_rate.no_decision"], 1, 7, 0)
		Expect(c.Metrics["supervisor.correction_rate"].Cases).To(Equal(int64(2)))
		Expect(c.Metrics).NotTo(HaveKey("supervisor.correction_rate.end_rejected"))
	})

	It("N2: list the corrections by proposed and executed agent, most frequent first", func() {
		other := agent.Step{Proposed: "a", Executed: "c", DecidedBy: "precondition", Reason: "needs_c"}
		c := of(withSteps("b", corrected, other, sentBack, ended), withSteps("a", corrected, followed))
		Expect(c.Corrections).To(
			Equal([]eval.Correction{{Proposed: "a", Executed: "b", N: 2, Cases: []string{"a", "b"}},
				{Proposed: "a", Executed: "c", N: 1, Cases: []string{"b"}}}))
	})

	It("have no correction rate if every decision failed, so that no gate passes", func() {
		timeout, atLimit := agent.Step{DecidedBy: "llm", Reason: "timeout"}, agent.Step{Executed: "END",
			DecidedBy: agent.DecidedByMaxIterations, Reason: "malformed_json"}
		c := of(withSteps("a", timeout, timeout,
			agent.Step{Executed: "END", DecidedBy: agent.DecidedByMaxIterations, Reason: agent.ReasonMaxIterations}),
			withSteps("b", timeout, atLimit))
		Expect(c.Metrics["supervisor.correction_rate"]).
			To(And(HaveField("Value", BeNil()), HaveField("Missing", int64(4))),
				"nobody was asked for the third of the first")
		expectRatio(c.Metrics["supervisor.called_again_rate"], 3, 4, 0)
	})

	It("N7: count a turn and the turn that answers its question as one episode", func() {
		asks := func(t eval.TurnSummary) eval.TurnSummary { t.AsksUser = true; return t }
		resumes := func(turn int, t eval.TurnSummary) eval.TurnSummary { t.ResumesTurn = turn; return t }
		talk := func(id string, turns ...eval.TurnSummary) eval.Result {
			r := withSteps(id)
			r.Turns = turns
			return r
		}
		turn := func(steps ...agent.Step) eval.TurnSummary {
			return eval.TurnSummary{Answered: true, HasDecisionSequence: true, Steps: steps}
		}
		c := of(
			talk("a", asks(turn(followed)), asks(resumes(1, turn(followed, followed))),
				resumes(2, turn(followed, followed, ended)), turn(followed, approved)),
			talk("b", asks(turn(followed, followed))), // the question is not answered
			// the turn that answers did not run
			talk("c", asks(turn(followed)), resumes(1, eval.TurnSummary{HasDecisionSequence: true})),
		)
		expectRatio(c.Metrics["supervisor.exhausted_rate"], 1, 2, 1)
		Expect(c.Metrics["supervisor.steps_mean"]).
			To(And(HaveField("N", int64(2)), HaveField("Missing", int64(1)), HaveField("Value", HaveValue(Equal(4.0)))))
	})

	It("N4: contain the share of episodes that reached the step limit, and the mean number of steps", func() {
		c := of(withSteps("a", followed, followed, approved), withSteps("b", sentBack, ended),
			withSteps("single", followed))
		expectShare(c.Metrics["supervisor.exhausted_rate"], 1, 2, 0)
		Expect(*c.Metrics["supervisor.steps_mean"].Value).To(Equal(2.5))
		Expect(c.Metrics["supervisor.steps_mean"].N).To(Equal(int64(2)))
	})

	It("count a turn with a labeled path as an episode, even if it has one step", func() {
		short := withSteps("a", approved)
		short.Turns[0].HasDecisionSequence = true
		c := of(short)
		expectShare(c.Metrics["supervisor.exhausted_rate"], 0, 1, 0)
		Expect(*c.Metrics["supervisor.steps_mean"].Value).To(Equal(1.0))
	})

	It("count a missing decision if the turn failed, and a missing episode if it was cut off", func() {
		failed, before, sorry, spent := withSteps("b", followed, followed), withSteps("c"),
			withSteps("d", followed, corrected), withSteps("e", followed, ended)
		failed.Turns[0].Answered = false
		before.Turns[0].Answered, before.Turns[0].HasDecisionSequence = false, true
		sorry.Turns[0].ErrorReply, sorry.Turns[0].ErrorReplyCause = "FAILED", "timeout"
		// the failure did not cut off the episode
		spent.Turns[0].ErrorReply, spent.Turns[0].ErrorReplyCause = "EXHAUSTED", "timeout"
		c := of(withSteps("a", followed, corrected), failed, before, sorry, spent)
		expectRatio(c.Metrics["supervisor.correction_rate"], 2, 8, 2)
		expectRatio(c.Metrics["supervisor.exhausted_rate"], 1, 2, 3)
		Expect(c.Metrics["supervisor.steps_mean"]).To(And(HaveField("N", int64(2)), HaveField("Missing", int64(3))))
	})

	It("contain every reason of the suite in each of its conditions", func() {
		t := metric.NewCollector([]eval.SuiteSummary{{Name: "s", Epochs: 1,
			Conditions: []eval.ConditionSummary{{Variant: "v", Fault: eval.NoFault},
				{Variant: "w", Fault: eval.NoFault}}}})
		other := withSteps("a", corrected, sentBack)
		other.Variant = "w"
		for _, r := range []eval.Result{withSteps("a", followed, followed), other} {
			Expect(t.Add(r)).To(Succeed())
		}
		c := t.Summarize().Suites[0].Conditions[0]
		expectRatio(c.Metrics["supervisor.correction_rate.needs_b"], 0, 2, 0)
		expectRatio(c.Metrics["supervisor.called_again_rate.end_rejected"], 0, 2, 0)
	})

	It("do not depend on the order of the cases", func() {
		var rows []eval.Result
		for i := range 30 {
			steps := []agent.Step{followed, corrected, sentBack, unread, followed, ended}[i%5:]
			rows = append(rows, withSteps(fmt.Sprint(i), steps...))
		}
		want := of(rows...).Metrics
		for range 5 {
			rows = append(rows[7:], rows[:7]...)
			Expect(of(rows...).Metrics).To(Equal(want))
		}
	})

	It("are absent in a decision-only suite", func() {
		t := metric.NewCollector([]eval.SuiteSummary{{Name: "s", Epochs: 1, DecisionOnly: true,
			Conditions: []eval.ConditionSummary{{Variant: "v", Fault: eval.NoFault}}}})
		Expect(t.Add(withSteps("a", corrected))).To(Succeed())
		Expect(t.Summarize().Suites[0].Conditions[0].Metrics).NotTo(HaveKey("supervisor.correction_rate"))
	})

	It("are absent if each turn has one decision", func() {
		for name := range of(scoredTrial("a", "chat", "chat"), lost("b", eval.ProviderError, "chat")).Metrics {
			Expect(name).NotTo(HavePrefix("supervisor."))
		}
	})
})

var _ = Describe("The accuracy by first accepted label", Label("definition"), func() {
	It("counts only the first accepted label as right", func() {
		c := of(scoredTrial("a", "chat", "chat"), scoredTrial("b", "chat", "image", "chat"),
			scoredTrial("c", "image", "chat"), lost("d", eval.ProviderError, "chat"))
		expectShare(c.Metrics["route.accuracy"], 2, 3, 1)
		expectShare(c.Metrics["route.primary"], 1, 3, 1)
		Expect(of(scoredTrial("a", "chat", "chat")).Metrics).NotTo(HaveKey("route.primary"))
	})

	It("requires the first accepted label in every turn of a conversation", func() {
		r := conversation("a", exchange{"image", "image"}, exchange{"chat", "chat"})
		r.Scores[0].Turns[0].Expected = eval.OneOf{"chat", "image"}
		c := of(r)
		expectShare(c.Metrics["route.accuracy"], 1, 1, 0)
		expectShare(c.Metrics["route.primary"], 0, 1, 0)
	})
})

var _ = Describe("Retrieval recall", Label("definition"), func() {
	recalled := func(id string, value float64, v eval.Verdict) eval.Result {
		r := row(id)
		r.Scores = []eval.Score{{Name: eval.RecallScore, Value: value, Verdict: v, Expected: eval.OneOf{"x"}}}
		return r
	}

	It("is a mean over the cases that expect items, with Student's interval", func() {
		c := epochsOf(2, recalled("a", 1, eval.Pass), recalled("a", 0.5, eval.Fail), recalled("b", 0.5, eval.Fail),
			recalled("b", 0, eval.Unscored), row("c"), row("c"))
		e := c.Metrics["retrieval.recall_at_5"]
		Expect(*e.Value).To(BeNumerically("~", 2.0/3, 1e-9))
		Expect([]int64{e.N, e.Cases, e.Missing}).To(Equal([]int64{3, 2, 1}))
		Expect(*e.Lo).To(BeNumerically("<", 2.0/3))
		Expect(*e.Hi).To(BeNumerically(">", 2.0/3))
	})

	It("is absent if no case expects items", func() {
		Expect(of(row("a")).Metrics).NotTo(HaveKey("retrieval.recall_at_5"))
	})
})

var _ = It("C10: a message that a later reply answers has no latency and is not missing", func() {
	r := row("a")
	r.Duration = 7e6
	r.Turns = []eval.TurnSummary{{Duration: 5e9, Answered: true, IsDeferred: true}, {Duration: 7e6, Answered: true}}
	c := of(r)
	Expect(c.Metrics["latency.p50"]).To(And(HaveField("N", int64(1)), HaveField("Missing", int64(0))))
	Expect(*c.Metrics["latency.p50"].Value).To(Equal(7.0))
	Expect(*c.Metrics["episode.p50"].Value).To(Equal(7.0))
})

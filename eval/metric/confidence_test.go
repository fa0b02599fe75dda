package metric_test

import (
	"fmt"
	"math"
	"math/rand/v2"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/eval/stats"
)

// withConfidence returns a trial whose model answered the label got with the given confidence. want
// are the correct labels.
func withConfidence(id string, confidence float64, got string, want ...string) eval.Result {
	r := scoredTrial(id, got, want...)
	r.Scores[0].Turn = 1
	r.Turns[0].ModelDecision = &agent.ModelDecision{Label: got, Confidence: &confidence}
	return r
}

// withoutConfidence returns a trial whose model gave no usable answer.
func withoutConfidence(id string) eval.Result {
	r := scoredTrial(id, "chat", "chat")
	r.Scores[0].Turn, r.DecidedBy = 1, "rules"
	return r
}

var _ = Describe("The metrics of the deciding model's confidence", Label("definition"), func() {
	families := []string{"confidence.ece", "confidence.brier", "confidence.auroc"}

	It("score the model's own answer, even if another source made the decision", func() {
		followed := withConfidence("a", 0.9, "chat", "chat")
		overruled := withConfidence("b", 0.3, "search", "chat")
		overruled.Scores[0].Actual, overruled.Scores[0].Verdict, overruled.DecidedBy = "chat", eval.Pass, "rules"
		accepted := withConfidence("c", 0.8, "search", "chat", "search")
		c := of(followed, overruled, accepted)
		Expect(*c.Metrics["confidence.brier"].Value).To(BeNumerically("~", (0.01+0.09+0.04)/3, 1e-9))
		Expect(*c.Metrics["confidence.auroc"].Value).To(Equal(1.0))
		Expect(*c.Metrics["confidence.ece"].Value).To(BeNumerically("~", (0.1+0.3+0.2)/3, 1e-9))
		Expect(*c.Metrics["route.accuracy"].Value).To(Equal(1.0))
		Expect(*c.Confidence.Accuracy.Value).To(BeNumerically("~", 2.0/3, 1e-9))
	})

	It("count a turn as missing if the model was called and gave no usable answer or no confidence", func() {
		silent := withConfidence("b", 0, "chat", "chat")
		silent.Turns[0].ModelDecision.Confidence = nil
		absurd := withConfidence("c", 1.7, "chat", "chat")
		unplayed := lost("d", eval.ProviderError, "chat")
		unplayed.Turns = nil
		broken := row("e")
		broken.Error = &eval.Error{Kind: eval.ScorerError}
		m := of(withConfidence("a", 0.9, "chat", "chat"), silent, absurd, unplayed, broken, withoutConfidence("f"),
			withConfidence("g", 0.4, "chat", "image")).Metrics
		for _, name := range families {
			Expect(m[name]).To(And(HaveField("N", int64(2)), HaveField("Missing", int64(5))), name)
		}
	})

	It("count a decision whose trial failed later", func() {
		later := lost("a", eval.ProviderError, "chat")
		later.Scores[0].Turn = 1
		later.Turns[0].ModelDecision = &agent.ModelDecision{Label: "chat", Confidence: new(0.7)}
		m := of(later).Metrics
		Expect(m["confidence.brier"]).
			To(And(HaveField("N", int64(1)), HaveField("Missing", BeZero()),
				HaveField("Value", HaveValue(BeNumerically("~", 0.09, 1e-9)))))
	})

	It("do not count decisions that a guard or the inputs forced, with or without a model call", func() {
		closed := withConfidence("a", 0.9, "image", "chat")
		closed.Turns[0].ModelDecision.DecisionIfAccepted = "chat"
		unasked := withoutConfidence("b")
		unasked.DecidedBy = "guard"
		m := of(closed, unasked, withConfidence("c", 0.8, "chat", "chat")).Metrics
		Expect(m["confidence.brier"]).To(And(HaveField("N", int64(1)), HaveField("Missing", BeZero())))
	})

	It("count a turn of a conversation only if a model was called in it", func() {
		r := conversation("a", exchange{"chat", "chat"}, exchange{"chat", "chat"}, exchange{"chat", "chat"})
		r.Turns = []eval.TurnSummary{{DecidedBy: "guard"}, {DecidedBy: "rules"},
			{DecidedBy: "llm", ModelDecision: &agent.ModelDecision{Label: "chat", Confidence: new(0.8)}}}
		m := of(r).Metrics
		Expect(m["confidence.brier"]).To(And(HaveField("N", int64(1)), HaveField("Missing", int64(1))),
			"rules took over from a model that was asked")
	})

	It("count a failed call as missing, but not a turn that a rule decided without a call",
		func() {
			t := metric.NewCollector([]eval.SuiteSummary{{Name: "s",
				Conditions: []eval.ConditionSummary{{Variant: "v", Fault: eval.NoFault, DeciderNode: "planner"}}}})
			r := conversation("a", exchange{"chat", "chat"}, exchange{"chat", "chat"}, exchange{"chat", "chat"},
				exchange{"chat", "chat"})
			// the source of the last turn is unknown
			r.Turns = []eval.TurnSummary{{DecidedBy: "guard"}, {DecidedBy: "rules"}, {DecidedBy: "guard"}, {}}
			r.Nodes = []eval.NodeVisit{{Node: "planner", Turn: 1, CallError: "timeout"}, {Node: "chat", Turn: 2}}
			Expect(t.Add(r)).To(Succeed())
			Expect(t.Summarize().Suites[0].Conditions[0].Metrics["confidence.brier"]).
				To(Equal(eval.Estimate{Missing: 2}))
		})

	It("are absent in a condition without model calls", func() {
		c := of(withoutConfidence("a"), withoutConfidence("b"))
		for _, name := range families {
			Expect(c.Metrics).NotTo(HaveKey(name))
		}
		Expect(c.Confidence).To(BeNil())
	})

	It("count all turns as missing if a model is called and never answers", func() {
		t := metric.NewCollector([]eval.SuiteSummary{{Name: "s",
			Conditions: []eval.ConditionSummary{{Variant: "v", Fault: eval.NoFault, DeciderNode: "planner"}}}})
		for _, id := range []string{"a", "b"} {
			r := withoutConfidence(id)
			r.Nodes = []eval.NodeVisit{{Node: "planner", Calls: 2}}
			Expect(t.Add(r)).To(Succeed())
		}
		c := t.Summarize().Suites[0].Conditions[0]
		for _, name := range families {
			Expect(c.Metrics[name]).To(Equal(eval.Estimate{Missing: 2}), name)
		}
		Expect(c.Confidence).To(BeNil())
	})

	It("count each labeled turn and each epoch; those of one case form a cluster", func() {
		var answers stats.Calibration
		var results []eval.Result
		random := rand.New(rand.NewPCG(3, 4))
		for i := range 40 {
			var all []stats.Answer
			for range 3 {
				r := conversation(fmt.Sprint(i), exchange{"image", "image"}, exchange{"chat", "image"})
				for turn, j := range r.Decisions() {
					confidence := math.Round(random.Float64()*100) / 100
					label := []string{"image", "chat"}[random.IntN(2)]
					r.Turns = append(r.Turns[:turn],
						eval.TurnSummary{ModelDecision: &agent.ModelDecision{Label: label, Confidence: &confidence}})
					all = append(all, stats.Answer{Confidence: confidence, Correct: label == j.Expected.Primary()})
				}
				results = append(results, r)
			}
			answers.AddCase(all...)
		}
		m := epochsOf(3, results...).Metrics
		lo, hi, _ := answers.AUROCInterval(0.95)
		Expect(m["confidence.auroc"]).To(And(HaveField("N", int64(240)), HaveField("Cases", int64(40)),
			HaveField("Lo", HaveValue(Equal(lo))), HaveField("Hi", HaveValue(Equal(hi)))))
		lo, hi, _ = answers.BrierInterval(0.95)
		Expect(m["confidence.brier"]).
			To(And(HaveField("Lo", HaveValue(Equal(lo))), HaveField("Hi", HaveValue(Equal(hi)))))
	})

	It("have no AUROC if all answers are right or all are wrong", func() {
		for _, want := range []string{"chat", "image"} {
			m := of(repeated(40, "a", func(id string) eval.Result { return withConfidence(id, 0.9, "chat", want) })...).
				Metrics
			Expect(m["confidence.auroc"].Value).To(BeNil(), want)
			Expect(m["confidence.ece"].Value).NotTo(BeNil(), want)
			Expect(m["confidence.brier"].Lo).NotTo(BeNil(), want)
		}
		n := 0
		c := of(repeated(40, "a", func(id string) eval.Result {
			n++
			return withConfidence(id, 0.9, "chat", []string{"chat", "image"}[n%2])
		})...)
		Expect(*c.Metrics["confidence.auroc"].Value).To(Equal(0.5))
		Expect(c.Confidence.Bins).To(HaveLen(1))
		Expect(c.Confidence.RiskCoverage).To(HaveLen(1))
		Expect(c.Confidence.AURC).To(BeNumerically("~", 0.5, 1e-12))
	})

	It("have at most ten bins and 101 curve points, and do not depend on the order of results", func() {
		random := rand.New(rand.NewPCG(5, 6))
		results := repeated(3000, "a", func(id string) eval.Result {
			return withConfidence(id, random.Float64(), "chat", []string{"chat", "image"}[random.IntN(2)])
		})
		c := of(results...)
		Expect(c.Confidence.Bins).To(HaveLen(10))
		Expect(len(c.Confidence.RiskCoverage)).To(And(BeNumerically("<=", 101), BeNumerically(">", 95)))
		last := c.Confidence.RiskCoverage[len(c.Confidence.RiskCoverage)-1]
		Expect([]float64{last.Coverage, *last.Risk.Value}).
			To(HaveExactElements(1.0, BeNumerically("~", 1-*c.Confidence.Accuracy.Value, 1e-12)))
		random.Shuffle(len(results), func(i, j int) { results[i], results[j] = results[j], results[i] })
		Expect(of(results...)).To(Equal(c))
	})

	It("include the confidence tables only without a fault and over all cases", func() {
		t := metric.NewCollector([]eval.SuiteSummary{{Name: "s",
			Conditions: []eval.ConditionSummary{{Variant: "v", Fault: eval.NoFault}, {Variant: "v", Fault: "f"}}}},
			"zh")
		for _, fault := range []string{eval.NoFault, "f"} {
			r := withConfidence("a", 0.9, "chat", "chat")
			r.Fault, r.Tags = fault, []string{"zh"}
			Expect(t.Add(r)).To(Succeed())
		}
		s := t.Summarize().Suites[0]
		Expect(s.Conditions[0].Confidence).NotTo(BeNil())
		for _, c := range []eval.ConditionSummary{s.Conditions[1], s.Slices[0], s.Slices[1]} {
			Expect(c.Confidence).To(BeNil())
			Expect(c.Metrics).To(HaveKey("confidence.ece"))
		}
	})
})

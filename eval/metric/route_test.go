package metric_test

import (
	"fmt"
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/llm"
	"evalctl/eval"
	"evalctl/eval/metric"
)

var _ = Describe("the metrics of decisions", func() {
	// Six cases expect image: four are right, two are predicted as chat. Three expect chat: two are
	// right, one is predicted as search. One expects search and is right.
	ten := []eval.Result{
		scoredTrial("a1", "image", "image"), scoredTrial("a2", "image", "image"), scoredTrial("a3", "image", "image"),
		scoredTrial("a4", "image", "image"),
		scoredTrial("a6", "chat", "image"), scoredTrial("a5", "chat", "image"),
		scoredTrial("b1", "chat", "chat"), scoredTrial("b2", "chat", "chat"), scoredTrial("b3", "search", "chat"),
		scoredTrial("c1", "search", "search"),
	}

	It("contain the accuracy with Wilson's interval", func() {
		c := of(ten...)
		Expect(c.Trials).To(Equal(int64(10)))
		expectShare(c.Metrics["route.accuracy"], 7, 10, 0)
		Expect(c.Metrics["route.accuracy"].WorstCase).To(BeNil())
		Expect(c.Metrics["route.accuracy"].BestCase).To(BeNil())
	})

	It("15.22: contain the number of labels that macro-F1 leaves out because no scored turn expects them", func() {
		conditions := []eval.ConditionSummary{{Variant: "v", Fault: eval.NoFault}, {Variant: "w", Fault: eval.NoFault}}
		t := metric.NewCollector([]eval.SuiteSummary{{Name: "s", Epochs: 1, Conditions: conditions,
			LabelsWithoutCases: []string{"chat", "image", "time"}}}, "zh")
		for _, r := range ten {
			r.Variant = "v"
			if r.Case == "c1" {
				r.Tags = []string{"zh"}
			}
			Expect(t.Add(r)).To(Succeed())
			r.Variant, r.Tags = "w", nil
			if r.Case[0] == 'c' { // the only case that expects search is unscored in this variant
				r = lost("c1", eval.ProviderError, "search")
				r.Variant = "w"
			}
			Expect(t.Add(r)).To(Succeed())
		}
		s := t.Close().Suites[0]
		Expect(s.LabelsWithoutCases).To(Equal([]string{"time"}))
		Expect([]int64{s.Conditions[0].LabelsWithoutCases, s.Conditions[1].LabelsWithoutCases,
			s.Slices[0].LabelsWithoutCases}).To(Equal([]int64{1, 2, 3}))
		Expect(of(ten...).LabelsWithoutCases).To(BeZero(), "no others are known")
	})

	It("contain precision, recall and F1 of each class, and macro-F1", func() {
		m := of(ten...).Metrics
		expectShare(m["route.precision.image"], 4, 4, 0)
		expectShare(m["route.recall.image"], 4, 6, 0)
		expectShare(m["route.precision.chat"], 2, 4, 0)
		expectShare(m["route.recall.chat"], 2, 3, 0)
		expectShare(m["route.precision.search"], 1, 2, 0)
		expectShare(m["route.recall.search"], 1, 1, 0)
		Expect(*m["route.f1.image"].Value).To(BeNumerically("~", 0.8, 1e-12))     // 2·4/(4+6)
		Expect(*m["route.f1.chat"].Value).To(BeNumerically("~", 4.0/7, 1e-12))    // 2·2/(4+3)
		Expect(*m["route.f1.search"].Value).To(BeNumerically("~", 2.0/3, 1e-12))  // 2·1/(2+1)
		Expect(*m["route.macro_f1"].Value).To(BeNumerically("~", 0.679365, 1e-6)) // the mean of the three
		Expect(m["route.f1.image"].N).To(Equal(int64(6)))
		macro := m["route.macro_f1"]
		Expect(*macro.Lo).To(BeNumerically("<", *macro.Value))
		Expect(*macro.Hi).To(BeNumerically(">", *macro.Value))
	})

	It("include the confusion matrix, and the confused pairs with their cases sorted by id", func() {
		c := of(ten...)
		Expect(c.Confusion).To(Equal(&eval.Confusion{
			Labels: []string{"chat", "image", "search"}, ExpectedLabels: 3,
			Counts: [][]int64{{2, 0, 1}, {2, 4, 0}, {0, 0, 1}},
		}))
		Expect(c.ConfusedPairs).To(Equal([]eval.ConfusedPair{
			{Expected: "image", Predicted: "chat", N: 2, Cases: []string{"a5", "a6"}},
			{Expected: "chat", Predicted: "search", N: 1, Cases: []string{"b3"}},
		}))
	})

	It("list up to five cases for a confused pair, each once for any number of epochs", func() {
		var all []eval.Result
		for _, id := range []string{"g", "f", "e", "d", "c", "b", "a"} {
			all = append(all, scoredTrial(id, "chat", "image"), scoredTrial(id, "chat", "image"))
		}
		Expect(epochsOf(2, all...).ConfusedPairs).To(Equal([]eval.ConfusedPair{
			{Expected: "image", Predicted: "chat", N: 14, Cases: []string{"a", "b", "c", "d", "e"}},
		}))
	})

	It("X11: count any accepted label as right, in the class of the first accepted label",
		Label("definition"), func() {
			c := of(scoredTrial("a", "chat", "search", "chat"), scoredTrial("b", "image", "search", "chat"))
			expectShare(c.Metrics["route.accuracy"], 1, 2, 0)
			expectShare(c.Metrics["route.recall.search"], 1, 2, 0)
			Expect(c.Metrics).NotTo(Or(HaveKey("route.recall.chat"), HaveKey("route.recall.image")))
			Expect(c.ConfusedPairs[0].Expected).To(Equal("search"))
			Expect(c.Confusion).To(Equal(&eval.Confusion{Labels: []string{"search", "image"}, ExpectedLabels: 1,
				Counts: [][]int64{{1, 1}, {0, 0}}}))
		})

	// There are two classes. The better variant predicts one of them as labels that no case
	// expects.
	It("have no class that no case expects, so that macro-F1 ranks variants as accuracy does",
		Label("definition"), func() {
			answers := func(wrong ...string) eval.ConditionSummary {
				GinkgoHelper()
				all := append(repeated(60, "a", func(id string) eval.Result { return scoredTrial(id, "chat", "chat") }),
					repeated(40, "b", func(id string) eval.Result { return scoredTrial(id, "image", "image") })...)
				for i, got := range wrong {
					all[i] = scoredTrial(all[i].Case, got, "chat")
				}
				return of(all...)
			}
			few := answers("search", "time", "invalid").Metrics
			many := answers("image", "image", "image", "image", "image", "image", "image", "image").Metrics
			Expect(*few["route.accuracy"].Value).To(Equal(0.97))
			Expect(*many["route.accuracy"].Value).To(Equal(0.92))
			Expect(*few["route.macro_f1"].Value).To(BeNumerically("~", (2*57.0/(60+57)+1)/2, 1e-12))
			Expect(*few["route.macro_f1"].Value).To(BeNumerically(">", *many["route.macro_f1"].Value))
			for _, label := range []string{"invalid", "search", "time"} {
				Expect(few).NotTo(Or(HaveKey("route.f1."+label), HaveKey("route.recall."+label),
					HaveKey("route.precision."+label)))
			}
			c := answers("search", "time", "invalid").Confusion
			Expect(c.Labels).To(Equal([]string{"chat", "image", "invalid", "search", "time"}))
			Expect(c.ExpectedLabels).To(Equal(2))
			Expect(c.Counts[0]).To(Equal([]int64{57, 0, 1, 1, 1}))
		})

	It("include the label of an invalid answer", func() {
		none := scoredTrial("x", "invalid", "chat")
		none.Predicted = "invalid"
		Expect(of(none).Confusion.InvalidLabel).To(BeEmpty(), "a label of that name")
		none.Nodes = []eval.NodeVisit{{Node: "router", CallError: llm.KindUnknownLabel}}
		Expect(of(none).Confusion.InvalidLabel).To(Equal("invalid"))
	})

	It("do not fall with more epochs, although rare wrong labels occur", Label("definition"), func() {
		var once, thrice []eval.Result
		for i, want := range []string{"chat", "chat", "image", "image"} {
			for epoch, got := range []string{want, []string{"invalid", want, "search", want}[i], want} {
				r := scoredTrial(fmt.Sprint(i), got, want)
				if epoch == 1 {
					once = append(once, r)
				}
				thrice = append(thrice, r)
			}
		}
		a, b := epochsOf(1, once...).Metrics["route.macro_f1"], epochsOf(3, thrice...).Metrics["route.macro_f1"]
		Expect(*b.Value).To(BeNumerically(">", *a.Value))
		Expect(b.Cases).To(Equal(int64(4)))
	})

	It("count unscored trials as missing in every metric, by class", Label("definition"), func() {
		m := of(append(slices.Clone(ten), lost("d1", eval.ProviderError, "chat"),
			lost("d2", eval.TimeoutError, "image"), lost("d3", eval.TimeoutError, "time"))...).Metrics
		for name, missing := range map[string]int64{
			"route.accuracy": 3, "route.macro_f1": 3, "route.recall.chat": 1, "route.f1.chat": 1,
			"route.recall.search": 0, "route.f1.search": 0,
			"route.precision.chat": 3, "route.precision.search": 3, "route.recall.time": 1, "route.f1.time": 1,
			"route.precision.time": 3,
		} {
			Expect(m[name].Missing).To(Equal(missing), name)
		}
		Expect(m["route.f1.time"].Value).To(BeNil())
		Expect(*m["route.macro_f1"].Value).To(BeNumerically("~", 0.679365, 1e-6), "over what was judged")
	})

	It("distinguish trials without a result from unscored trials", Label("definition"), func() {
		decided := scoredTrial("a", "chat", "chat") // the decision was made before the chat failed
		decided.Error = &eval.Error{Kind: eval.ProviderError}
		undecided := scoredTrial("b", "", "chat") // an error reply in place of a decision
		undecided.Scores[0].Verdict = eval.Unscored
		m := of(decided, undecided, lost("c", eval.ProviderError, "chat"), scoredTrial("d", "image", "chat"),
			row("unlabelled")).Metrics
		expectShare(m["missing.rate"], 2, 5, 0)
		expectShare(m["unscored.rate"], 2, 4, 0)
		expectShare(m["route.accuracy"], 1, 2, 2)
	})

	It("exclude errors from accuracy, and have bounds that count all errors as wrong, or all as right", func() {
		all := append(slices.Clone(ten), lost("d1", eval.ProviderError, "chat"), lost("d2", eval.TimeoutError, "image"))
		a := of(all...).Metrics["route.accuracy"]
		expectShare(a, 7, 10, 2)
		Expect(*a.WorstCase).To(Equal(7.0 / 12))
		Expect(*a.BestCase).To(Equal(9.0 / 12))
		worst, _ := wilson(7, 12)
		_, best := wilson(9, 12)
		Expect(*a.WorstCaseLo).To(BeNumerically("~", worst, 1e-9))
		Expect(*a.BestCaseHi).To(BeNumerically("~", best, 1e-9))
	})

	It("have bounds but no value if no trial is scored", func() {
		c := of(lost("a", eval.ProviderError, "chat"), lost("b", eval.ProviderError, "chat"))
		a := c.Metrics["route.accuracy"]
		Expect(a.Value).To(BeNil())
		Expect(a.N).To(BeZero())
		Expect(a.Missing).To(Equal(int64(2)))
		Expect(*a.WorstCase).To(Equal(0.0))
		Expect(*a.BestCase).To(Equal(1.0))
		Expect(c.Confusion).To(BeNil())
	})

	It("ignore cases without a label", func() {
		unlabeled := row("x")
		unlabeled.Scores = []eval.Score{{Name: "route"}}
		expectShare(of(scoredTrial("a", "chat", "chat"), unlabeled, row("y")).Metrics["route.accuracy"], 1, 1, 0)
	})

	It("count a case as missing if its scorer failed", func() {
		broken := row("x")
		broken.Error = &eval.Error{Kind: eval.ScorerError, Message: "panic in scorer"}
		expectShare(of(scoredTrial("a", "chat", "chat"), broken).Metrics["route.accuracy"], 1, 1, 1)
	})

	It("have no precision for a label that was never predicted", func() {
		e := of(scoredTrial("a", "chat", "image")).Metrics["route.precision.image"]
		Expect(e.Value).To(BeNil())
		Expect(e.N).To(BeZero())
	})
})
